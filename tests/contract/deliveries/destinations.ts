import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { describe, test as everywhere, expect } from 'vitest'
import { kyselyQuotas } from '../../../connectors/postgres/accounts/plan/quota-store.ts'
import { kyselyCasework } from '../../../connectors/postgres/casework/casework-store.ts'
import { kyselyOffboarding } from '../../../connectors/postgres/lifecycle/offboarding-store.ts'
import { BUILT_IN_TIERS } from '../../../schemas/accounts/tiers/tiers.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { crew } from '../../builders/accounts/team.ts'
import { append, cause } from '../../builders/lifecycle/events.ts'
import { fire, newDestination } from '../../builders/scans/deliveries.ts'
import { NOW, type World } from './world.ts'

export const destinationPromises = (world: World, test: Test = everywhere) =>
  describe('destinations', () => {
    test('a destination is what was stored, and nobody else’s', async () => {
      const { destinations, owner, team, made } = world
      const { secret, ...one } = await made({ digest: 'daily', publicOnly: true })
      expect(await destinations.destination(owner, one.id)).toEqual(one)
      expect(await destinations.list(owner)).toEqual([one])
      expect(await destinations.beginTest(owner, one.id, { now: NOW, pauseMs: 1 })).toEqual({
        kind: 'webhook',
        url: one.url,
        email: null,
        secret,
      })
      const others = [
        { ...owner, userId: team.user2.id },
        { ...owner, customerId: randomUUID() },
      ]
      for (const other of others) {
        expect(await destinations.list(other)).toEqual([])
        expect(await destinations.destination(other, one.id)).toBeNull()
        expect(await destinations.change(other, one.id, { name: 'theirs', at: NOW })).toBeNull()
        expect(await destinations.setSecret(other, one.id, 'x', NOW)).toBe(false)
        expect(await destinations.codeOf(other, one.id)).toBeNull()
        expect(await destinations.beginTest(other, one.id, { now: NOW, pauseMs: 1 })).toBeNull()
        expect(await destinations.deliveries(other, one.id, { after: null, limit: 1 })).toBeNull()
        expect(await destinations.remove(other, one.id)).toBe(false)
      }
      expect(await destinations.remove(owner, one.id)).toBe(true)
      expect(await destinations.destination(owner, one.id)).toBeNull()
    })

    everywhere('a user has ten, exactly, whoever asks at the same time, and usage says how many', async () => {
      const { destinations, people, owner, team } = world
      const other = { ...owner, userId: team.user2.id }
      const outcomes = await Promise.all(Array.from({ length: 14 }, () => destinations.create(newDestination(other))))
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(10)
      expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(4)
      expect(await destinations.create(newDestination(owner))).toBe('created')
      const quotas = kyselyQuotas(people.db, BUILT_IN_TIERS)
      const used = async (userId: string) =>
        (await quotas.usage(owner.customerId, userId)).find(({ featureKey }) => featureKey === 'max_destinations')?.used
      expect(await used(other.userId)).toBe(10)
      expect(await used(owner.userId)).toBe(1)
      expect(await used(team.admin.id)).toBeUndefined()
    })

    test('somebody who is no member has none', async () => {
      const { destinations, owner } = world
      const strangers = [
        { ...owner, userId: randomUUID() },
        { ...owner, customerId: randomUUID() },
      ]
      for (const stranger of strangers) expect(await destinations.create(newDestination(stranger))).toBe('no member')
    })

    test('it may name watchlists of its owner, and no others', async () => {
      const { destinations, people, owner, team, made } = world
      const { records } = kyselyCasework(people.db, BUILT_IN_TIERS)
      const watchlist = async (userId: string) => {
        const id = randomUUIDv7()
        const record = {
          id,
          kind: 'watchlist',
          owner: { ...owner, userId },
          content: { name: 'x' },
          caseId: null,
        } as const
        expect(await records.create({ ...record, createdAt: NOW, updatedAt: NOW })).toBe('created')
        return id
      }
      const [own, other] = [await watchlist(owner.userId), await watchlist(team.user2.id)]
      expect(await destinations.create(newDestination(owner, { watchlists: [own, other] }))).toBe('no watchlist')
      const one = await made({ watchlists: [own] })
      expect(await destinations.change(owner, one.id, { watchlists: [other], at: NOW })).toBe('no watchlist')
      expect(await destinations.change(owner, one.id, { watchlists: null, at: NOW })).toMatchObject({
        watchlists: null,
      })
    })

    test('a change names what is changed, and another address is not confirmed', async () => {
      const { destinations, owner, made } = world
      const { secret: _, ...one } = await made({ kind: 'email', url: null, email: 'a@example.com', confirmedAt: NOW })
      expect(await destinations.change(owner, one.id, { name: 'new', digest: 'hourly', at: NOW + 1 })).toEqual({
        ...one,
        name: 'new',
        digest: 'hourly',
        updatedAt: NOW + 1,
      })
      const moved = await destinations.change(owner, one.id, { email: 'b@example.com', at: NOW + 2 })
      expect(moved).toMatchObject({ name: 'new', email: 'b@example.com', confirmedAt: null })
      await destinations.setCode(owner, one.id, '018f0000-0000-7000-8000-000000000009')
      expect(await destinations.codeOf(owner, one.id)).toBe('018f0000-0000-7000-8000-000000000009')
    })

    test('tests of one destination keep a distance', async () => {
      const { destinations, owner, made } = world
      const { id } = await made()
      const begin = (now: number) => destinations.beginTest(owner, id, { now, pauseMs: 5_000 })
      expect(await begin(NOW)).toMatchObject({ kind: 'webhook' })
      expect(await begin(NOW + 4_999)).toBe('too soon')
      expect(await begin(NOW + 5_000)).toMatchObject({ kind: 'webhook' })
    })

    test('an alert is delivered once to each destination that wants its watchlist, in the order of the alerts', async () => {
      const { people, owner, team, made, deliveries } = world
      const { records } = kyselyCasework(people.db, BUILT_IN_TIERS)
      const id = randomUUIDv7()
      await records.create({ id, kind: 'watchlist', owner, content: {}, caseId: null, createdAt: NOW, updatedAt: NOW })
      const [all, some] = [await made(), await made({ watchlists: [id] })]
      const unconfirmed = await made({ kind: 'email', url: null, email: 'a@example.com' })
      const ids = await fire(people.db, owner, { count: 5 })
      const wanted = await fire(people.db, owner, { count: 3, watchlistId: id })
      await fire(people.db, { ...owner, userId: team.user2.id })
      const alertsOf = async (destination: { id: string }) =>
        (await deliveries(destination)).map(({ alertId }) => alertId)
      expect(await alertsOf(all)).toEqual([...ids, ...wanted])
      expect(await alertsOf(some)).toEqual(wanted)
      expect(await alertsOf(unconfirmed)).toEqual([])
    })

    test('what is on its way is shown in pages, newest first', async () => {
      const { destinations, people, owner, made } = world
      const { id } = await made()
      const ids = await fire(people.db, owner, { count: 5 })
      const page = await destinations.deliveries(owner, id, { after: null, limit: 3 })
      expect(page!.deliveries.map(({ alertId }) => alertId)).toEqual(ids.slice(2).reverse())
      expect(page!.deliveries[0]).toMatchObject({ state: 'pending', attempts: 0, nextAt: NOW, lastError: null })
      const rest = await destinations.deliveries(owner, id, { after: page!.next, limit: 3 })
      expect(rest!.deliveries.map(({ alertId }) => alertId)).toEqual(ids.slice(0, 2).reverse())
      expect(rest!.next).toBeNull()
    })

    test('the ends of users and customers end their destinations in the same moment', async () => {
      const { people, destinations } = world
      const team = await crew(people)
      const { customerId } = team
      const at = (userId: string) => ({ customerId, userId })
      for (const { id } of [team.user, team.user2, team.admin])
        expect(await destinations.create(newDestination(at(id)))).toBe('created')
      await fire(people.db, at(team.user.id))
      await people.offboarding.deleteUser(team.user.id, cause())
      expect(await destinations.list(at(team.user.id))).toEqual([])
      expect(await destinations.list(at(team.user2.id))).toHaveLength(1)
      const options = { append, maxInstances: () => 0 }
      expect(
        await kyselyOffboarding(people.db, options).end(customerId, { reason: 'last_owner', cause: cause() }),
      ).toBe(true)
      expect(await destinations.list(at(team.user2.id))).toEqual([])
      const left = await people.db
        .selectFrom('delivery_queues')
        .leftJoin('alert_destinations', 'alert_destinations.id', 'delivery_queues.id')
        .leftJoin('deliveries', 'queue_id', 'delivery_queues.id')
        .select('deliveries.id')
        .where((where) => where.or([where('customer_id', '=', customerId), where('customer_id', 'is', null)]))
        .where('delivery_queues.kind', '=', 'alert')
        .execute()
      expect(left).toEqual([])
    })
  })
