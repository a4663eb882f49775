import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { kyselyAccounts } from '../../../connectors/postgres/accounts/users/account-store.ts'
import { kyselyAlertWriter } from '../../../connectors/postgres/casework/alerts/alert-writer.ts'
import { kyselyWatchedLists } from '../../../connectors/postgres/casework/alerts/watched-lists.ts'
import { kyselyCasework } from '../../../connectors/postgres/casework/casework-store.ts'
import { customerGroup } from '../../../schemas/accounts/accounts.ts'
import { BUILT_IN_TIERS } from '../../../schemas/accounts/tiers/tiers.ts'
import type { AlertWrite, FiredAlert } from '../../../schemas/casework/alert.ts'
import { firedAlert } from '../../builders/accounts/casework/fired.ts'
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
      await world.people.offboarding.deleteUser(team.user.id, cause())
      await world.round()
      expect(target.accepted()).toBe(0)
    })

    test('nothing is sent for a user that has left the customer, and not for one that went to another', async () => {
      const { target, team, stateOf } = await underway()
      const gone = world.people.db.deleteFrom('memberships').where('user_id', '=', team.user.id)
      await gone.execute()
      await world.round()
      const note = 'the user is no longer a member of the customer'
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
      const note = 'the alert was deleted, or its user may no longer read it'
      expect(await stateOf()).toMatchObject([{ state: 'skipped', note }])
    })

    test('what asks for several groups is sent to who is in all of them alone', async () => {
      const { target, stateOf } = await underway({ needs: ['analysts'] })
      await world.round()
      expect(target.accepted()).toBe(0)
      expect(await stateOf()).toMatchObject([{ state: 'skipped' }])
    })

    test('what it may read by its groups or its membership is sent', async () => {
      const { people, owner } = await underway({ readableBy: ['others', customerGroup('x')] }).then(
        ({ owner: of }) => ({ owner: of, people: world.people }),
      )
      await fire(people.db, owner, { readableBy: [customerGroup(owner.customerId)] })
      await world.round()
      const states = await people.db
        .selectFrom('deliveries')
        .innerJoin('alert_destinations', 'alert_destinations.id', 'queue_id')
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

    const stored = (fired: FiredAlert[], withdrawn: AlertWrite['withdrawn'] = []) =>
      kyselyAlertWriter(world.people.db).store({ fired, withdrawn }, { partition: 0, moves: [] }, world.clock.now)

    test('a destination for what is public is told what everybody reads, under the id of the alert, and nothing else', async () => {
      const { owner, made, receiving, round, deliveries } = world
      const [own, open] = [await receiving((response) => response.end()), await receiving((response) => response.end())]
      await made({ url: own.url })
      const destination = await made({ url: open.url, publicOnly: true })
      const secret = firedAlert({ owner, reputation: -3, readableBy: ['analysts', 'public'] })
      const shared = firedAlert({ owner, reputation: -3, readableBy: [customerGroup(owner.customerId)] })
      expect(await stored([secret, shared, { ...shared, publicly: true, reputation: -1, count: 2 }])).toMatchObject({
        made: 2,
      })
      await round()
      const told = ({ received }: typeof own) => received.map(({ body }) => JSON.parse(body.toString()).data)
      expect(told(own)).toMatchObject([
        { id: secret.id, reputation: -3 },
        { id: shared.id, reputation: -3, count: 1 },
      ])
      expect(told(open)).toMatchObject([{ id: shared.id, reputation: -1, count: 2 }])
      expect(await deliveries(destination)).toMatchObject([{ alertId: shared.id, state: 'delivered' }])
    })

    test('what is public and was withdrawn says so, and a repeat on the same day is not sent again', async () => {
      const { owner, made, receiving, round } = world
      const target = await receiving((response) => response.end())
      await made({ url: target.url, publicOnly: true, digest: 'hourly' })
      const alert: FiredAlert = { ...firedAlert({ owner }), publicly: true }
      await stored([alert])
      await stored([{ ...alert, reputation: -3 }], [])
      const { itemId, entityId } = alert
      await stored([], [{ itemId, entityId, publicly: true }])
      await round()
      world.clock.now += 3_600_000
      await round()
      const { data } = JSON.parse(target.received[0]!.body.toString())
      expect(data).toMatchObject({ count: 1, more: 0 })
      expect(data.alerts).toMatchObject([{ id: alert.id, count: 2, reputation: -3, withdrawnAt: expect.any(String) }])
    })

    test('of two days that are stored at once, the later one is withdrawn', async () => {
      const { owner, people } = world
      const early: FiredAlert = { ...firedAlert({ owner }), publicly: true }
      const { itemId, entityId } = early
      for (let n = 0; n < 8; n++) {
        const [first, second] = [
          { ...early, id: randomUUID() },
          { ...early, id: randomUUID() },
        ]
        await stored([first, second])
        await stored([], [{ itemId, entityId, publicly: true }])
        const left = people.db.selectFrom('casework_public_alerts').select('id').where('withdrawn_at', 'is not', null)
        expect((await left.execute()).map(({ id }) => id)).toEqual([second.id])
        await people.db.deleteFrom('casework_public_alerts').execute()
      }
    })

    test('a destination that becomes one for what is public is not told what was on its way', async () => {
      const { owner, made, receiving, round, deliveries, destinations, people } = world
      const target = await receiving((response) => response.end())
      const destination = await made({ url: target.url })
      await fire(people.db, owner)
      await destinations.change(owner, destination.id, { publicOnly: true, at: NOW })
      await round()
      expect(target.accepted()).toBe(0)
      expect(await deliveries(destination)).toMatchObject([{ state: 'skipped' }])
    })

    test('watchlists are read again when a destination for what is public wants them, or does so no more', async () => {
      const { owner, made, destinations, people } = world
      const { records } = kyselyCasework(people.db, BUILT_IN_TIERS)
      const id = randomUUIDv7()
      await records.create({ id, kind: 'watchlist', owner, content: {}, caseId: null, createdAt: NOW, updatedAt: NOW })
      const lists = kyselyWatchedLists(people.db)
      const publicly = async () => (await lists.read([id]))[0]!.publicly
      let known = await lists.latest()
      const moved = async (): Promise<boolean> => {
        const moves = await lists.movesAfter(known)
        known = moves!.to
        return moves!.users.includes(owner.userId)
      }
      const one = await made()
      expect([await moved(), await publicly()]).toEqual([false, false])
      await destinations.change(owner, one.id, { publicOnly: true, at: NOW })
      expect([await moved(), await publicly()]).toEqual([true, true])
      await destinations.change(owner, one.id, { name: 'new', at: NOW })
      expect([await moved(), await publicly()]).toEqual([false, true])
      await destinations.remove(owner, one.id)
      expect([await moved(), await publicly()]).toEqual([true, false])
      const other = randomUUIDv7()
      await records.create({
        id: other,
        kind: 'watchlist',
        owner,
        content: {},
        caseId: null,
        createdAt: NOW,
        updatedAt: NOW,
      })
      await made({ publicOnly: true, watchlists: [other] })
      expect([await moved(), await publicly()]).toEqual([true, false])
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
        .set({ confirmed_at: new Date(NOW) })
        .execute()
      await people.db
        .updateTable('delivery_queues')
        .set({ due_at: new Date(NOW) })
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
