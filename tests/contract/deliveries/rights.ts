import { describe, expect, test } from 'vitest'
import { kyselyAccounts } from '../../../connectors/postgres/accounts/kysely.ts'
import { customerGroup } from '../../../schemas/accounts/accounts.ts'
import { crew } from '../../builders/accounts/team.ts'
import { append, cause } from '../../builders/lifecycle/events.ts'
import { fire, newDestination } from '../../builders/scans/deliveries.ts'
import { NOW, type World } from './world.ts'

export const rightsPromises = (world: World) =>
  describe('rights', () => {
    /** A user with a destination and an alert on its way, in a team of its own. */
    const underway = async (given: Parameters<typeof fire>[2] = {}) => {
      const { people, destinations, receiving } = world
      const target = await receiving((response) => response.end())
      const team = await crew(people)
      const owner = { customerId: team.customerId, userId: team.user.id }
      const destination = newDestination(owner, { url: target.url })
      expect(await destinations.create(destination)).toBe('created')
      await fire(people.db, owner, given)
      const stateOf = async () =>
        (await destinations.deliveries(owner, destination.id, { after: null, limit: 5 }))?.deliveries ?? []
      return { target, team, owner, destination, stateOf }
    }

    const accounts = () => kyselyAccounts(world.people.db, append)

    test('nothing is sent for a user that is disabled, and the delivery says so', async () => {
      const { target, team, stateOf } = await underway()
      await accounts().updateUser(team.user.id, { disabled: true }, cause())
      await world.round()
      expect(target.accepted()).toBe(0)
      expect(await stateOf()).toMatchObject([{ state: 'skipped', note: 'the user is disabled', nextAt: null }])
    })

    test('nothing is sent for a user that is deleted', async () => {
      const { target, team } = await underway()
      await accounts().deleteUser(team.user.id, cause())
      await world.round()
      expect(target.accepted()).toBe(0)
    })

    test('nothing is sent for a user that has left the customer, and not for one that went to another', async () => {
      const { target, team, stateOf } = await underway()
      const gone = world.people.db.deleteFrom('memberships').where('user_id', '=', team.user.id)
      await gone.execute()
      await world.round()
      const note = 'the user is not a member of the customer any more'
      expect(await stateOf()).toMatchObject([{ state: 'skipped', note }])
      expect(target.accepted()).toBe(0)
    })

    test('nothing is sent for a user without the role', async () => {
      const { target, team, stateOf } = await underway()
      await accounts().updateUser(team.user.id, { roles: ['reporter'] }, cause())
      await world.round()
      expect(await stateOf()).toMatchObject([{ state: 'skipped' }])
      expect(target.accepted()).toBe(0)
    })

    test('what the user may not read any more is not sent', async () => {
      const { target, stateOf } = await underway({ readableBy: ['analysts'] })
      await world.round()
      expect(target.accepted()).toBe(0)
      const note = 'the user may not read the alert any more'
      expect(await stateOf()).toMatchObject([{ state: 'skipped', note }])
    })

    test('what it may read by its groups or its membership is sent', async () => {
      const { people, owner } = await underway({ readableBy: ['others', customerGroup('x')] }).then(
        ({ owner: of }) => ({ owner: of, people: world.people }),
      )
      await fire(people.db, owner, { readableBy: [customerGroup(owner.customerId)] })
      await world.round()
      const states = await people.db
        .selectFrom('alert_deliveries')
        .innerJoin('alert_destinations', 'alert_destinations.id', 'destination_id')
        .select('state')
        .where('user_id', '=', owner.userId)
        .orderBy('seq')
        .execute()
      expect(states.map(({ state }) => state)).toEqual(['skipped', 'delivered'])
    })

    test('a digest leaves out what its user may not read, and does not count it', async () => {
      const { people, owner, made, receiving, round } = world
      const target = await receiving((response) => response.end())
      await made({ url: target.url })
      const ids = await fire(people.db, owner, { count: 50 })
      await fire(people.db, owner, { count: 50, readableBy: ['analysts'] })
      await round()
      expect(target.received).toHaveLength(1)
      const { data } = JSON.parse(target.received[0]!.body.toString())
      expect(data).toMatchObject({ count: 50, more: 0 })
      expect(data.alerts.map(({ id }: { id: string }) => id)).toEqual(ids)
    })

    test('a destination for what is public tells what the public view decides, in its words', async () => {
      const { people, owner, made, receiving, round, deliveries } = world
      const target = await receiving((response) => response.end())
      const destination = await made({ url: target.url, publicOnly: true })
      const [first, second] = await fire(people.db, owner, { count: 2 })
      await round({
        publicAlerts: async (alerts) =>
          alerts.filter(({ id }) => id === second).map((alert) => ({ ...alert, reputation: -1 })),
      })
      expect(target.received).toHaveLength(1)
      expect(JSON.parse(target.received[0]!.body.toString()).data).toMatchObject({ id: second, reputation: -1 })
      expect(await deliveries(destination)).toMatchObject([
        { alertId: first, state: 'skipped', note: 'the alert is not public' },
        { alertId: second, state: 'delivered' },
      ])
    })

    test('a digest for what is public counts that alone, however many there are', async () => {
      const { people, owner, made, receiving, round } = world
      const target = await receiving((response) => response.end())
      await made({ url: target.url, publicOnly: true })
      const ids = await fire(people.db, owner, { count: 1_200 })
      const secret = new Set(ids.slice(0, 1_000))
      await round({ publicAlerts: async (alerts) => alerts.filter(({ id }) => !secret.has(id)) })
      expect(target.received).toHaveLength(1)
      const { data } = JSON.parse(target.received[0]!.body.toString())
      expect(data).toMatchObject({ count: 200, more: 100 })
      expect(data.alerts[0].id).toBe(ids[1_000])
    })

    test('a mail waits while its address is not confirmed, and goes once it is', async () => {
      const { people, owner, made, round, destinations, deliveries } = world
      const destination = await made({ kind: 'email', url: null, email: 'a@example.com', confirmedAt: NOW })
      await fire(people.db, owner)
      await destinations.change(owner, destination.id, { email: 'b@example.com', at: NOW })
      await round()
      expect(await deliveries(destination)).toMatchObject([{ state: 'pending', attempts: 0 }])
      await people.db
        .updateTable('alert_destinations')
        .set({ confirmed_at: new Date(NOW), due_at: new Date(NOW) })
        .execute()
      await round()
      expect(await deliveries(destination)).toMatchObject([{ state: 'delivered' }])
    })

    test('an alert that is gone is not sent', async () => {
      const { target, stateOf } = await underway()
      await world.people.db.deleteFrom('casework_alerts').execute()
      await world.round()
      expect(target.accepted()).toBe(0)
      expect(await stateOf()).toMatchObject([{ state: 'skipped' }])
    })
  })
