/** What follows from the ends of users, customers and subscriptions, over any database (specification 6, decisions 8.1). */

import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { deadLetterBox } from '../../../connectors/operations/dead-letters/box.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { reconciliation } from '../../../connectors/postgres/lifecycle/reconciliation-store.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import { PAUSES_MS } from '../../../pipelines/jobs/accounts/lifecycle-job.ts'
import type { LifecycleEvent } from '../../../schemas/accounts/lifecycle.ts'
import { ACCOUNT_LIFECYCLE } from '../../../schemas/log/topics.ts'
import { assetsOf } from '../../builders/accounts/assets.ts'
import { type Crew, crew, peopleOf } from '../../builders/accounts/team.ts'
import { bytesOf, cause } from '../../builders/lifecycle/events.ts'
import { handlersOver, TIERS } from '../../builders/lifecycle/handlers.ts'
import { memoryLog } from '../../builders/log/memory-log.ts'
import { Died, watched } from '../../builders/platform/fault.ts'
import { during, prepared } from '../../builders/suite/during.ts'

const NOW = 1_800_000_000_000

export function lifecycleContract(name: string, open: () => Promise<AccountsDatabase>): void {
  describe(name, () => {
    const people = during(async () => peopleOf(await open()))
    const assets = prepared(() => assetsOf(people))
    // What earlier tests and runs left is not ours to handle.
    beforeEach(async () => {
      await people.db.deleteFrom('lifecycle_retries').execute()
      await people.db
        .updateTable('outbox')
        .set({ published_at: new Date(0) })
        .where('published_at', 'is', null)
        .execute()
      await people.db
        .updateTable('outbox_turn')
        .set({ until: new Date(0) })
        .execute()
    })

    /** A crew with an instance and casework of its owner, its admin and one user. */
    async function busyCrew(): Promise<Crew> {
      const team = await crew(people)
      for (const { id } of [team.owner, team.admin, team.user]) {
        await assets.instance(team.customerId, id)
        await assets.casework(team.customerId, id)
      }
      return team
    }
    const erase = (id: string) => people.offboarding.deleteUser(id, cause())
    const members = async (customerId: string) => {
      const query = people.db.selectFrom('memberships').select('user_id').where('customer_id', '=', customerId)
      return (await query.execute()).map((row) => row.user_id).sort()
    }
    const others = (team: Crew, ...gone: string[]) =>
      [team.owner, team.admin, team.admin2, team.user, team.user2]
        .map(({ id }) => id)
        .filter((id) => !gone.includes(id))
        .sort()
    const types = (events: LifecycleEvent[]) => events.map(({ type }) => type)

    test('with the last owner ends the customer: provider, members, usage, instances and casework of everybody', async () => {
      const handlers = handlersOver(people.db)
      const { customerId, owner } = await busyCrew()
      await handlers.ledger.link(customerId, `cus_${customerId}`)
      await handlers.ledger.set(customerId, { tier: 'Pro', quantity: 2 }, cause())
      const window = {
        subject: `customer ${customerId}`,
        service: 's',
        feature: 'f',
        period: 'day',
        granted: 1,
        lent: 1,
      }
      await people.db
        .insertInto('limit_windows')
        .values({ ...window, starts_at: new Date(0), ends_at: new Date(1) })
        .execute()
      expect(await erase(owner.id)).toBe(true)
      await handlers.settle()

      expect(await people.team.customer(customerId)).toBeNull()
      expect(await members(customerId)).toEqual([])
      for (const left of [assets.instances, assets.records, assets.alertReads, assets.alerts])
        expect(await left(customerId)).toEqual([])
      expect(await assets.counters(customerId)).toEqual({})
      const windows = people.db.selectFrom('limit_windows').selectAll().where('subject', '=', window.subject)
      expect(await windows.execute()).toEqual([])
      expect(handlers.removed).toEqual([`cus_${customerId}`])
      expect(handlers.freed).toHaveLength(3)
      const [, deleted, cancelled, ended] = handlers.events()
      expect(types(handlers.events())).toEqual([
        'subscription.changed',
        'user.deleted',
        'subscription.cancelled',
        'customer.deleted',
      ])
      expect(deleted).toMatchObject({
        subject: { userID: owner.id, customerID: customerId },
        data: { memberships: [{ customerID: customerId, role: 'owner' }] },
      })
      expect(cancelled!.data).toMatchObject({ oldEffective: { max_instances: 12 }, effective: { max_instances: 0 } })
      expect(ended).toMatchObject({ data: { reason: 'last_owner' }, actor: deleted!.actor })
      expect(handlers.failures).toEqual([])
    })

    test('with an owner beside another, an admin or a user goes the role alone, and what was their own', async () => {
      const team = await busyCrew()
      const { customerId } = team
      await people.team.change({
        caller: team.owner.id,
        target: team.admin2.id,
        change: { kind: 'transfer' },
        membershipId: randomUUID(),
      })
      await people.db.updateTable('memberships').set({ role: 'owner' }).where('user_id', '=', team.owner.id).execute()
      const handlers = handlersOver(people.db)
      const gone: string[] = []
      for (const { id } of [team.owner, team.admin, team.user]) {
        gone.push(id)
        await erase(id)
        // Nobody is told of a member who is gone, handled or not.
        const listed = await people.team.members(customerId, { page: 1, limit: 10 })
        expect(listed.members.map(({ userId }) => userId).sort()).toEqual(others(team, ...gone))
        expect(await people.team.membership(id)).toBeNull()
        await handlers.settle()
        const left = [team.owner, team.admin, team.user]
          .map((one) => one.id)
          .filter((one) => !gone.includes(one))
          .sort()
        expect(await members(customerId)).toEqual(others(team, ...gone))
        expect(await assets.instances(customerId)).toEqual(left)
        expect(new Set(await assets.records(customerId))).toEqual(new Set(left))
        expect(await assets.alertReads(customerId)).toEqual(left)
        expect(await assets.alerts(customerId)).toEqual(left)
        const n = left.length
        expect(await assets.counters(customerId)).toEqual({
          max_instances: n,
          max_cases: n,
          max_watchlists: n,
          max_conversations: n,
          max_saved_searches: n,
        })
      }
      expect(types(handlers.events())).toEqual(['user.deleted', 'user.deleted', 'user.deleted'])
    })

    test('the owner who is left when another was deleted can neither leave nor be demoted before that is handled', async () => {
      const team = await crew(people)
      await people.db.updateTable('memberships').set({ role: 'owner' }).where('user_id', '=', team.admin.id).execute()
      await erase(team.admin.id)
      const leave = { caller: team.owner.id, target: team.owner.id, membershipId: randomUUID() }
      expect(await people.team.change({ ...leave, change: { kind: 'leave' } })).toBe('last_owner')
      await erase(team.owner.id)
      await handlersOver(people.db).settle()
      expect(await people.team.customer(team.customerId)).toBeNull()
    })

    test('what somebody had in a customer that they had left goes with their account', async () => {
      const team = await busyCrew()
      const leave = { caller: team.user.id, target: team.user.id, membershipId: randomUUID() }
      expect(await people.team.change({ ...leave, change: { kind: 'leave' } })).toBeNull()
      await erase(team.user.id)
      await handlersOver(people.db).settle()
      expect(await assets.instances(team.customerId)).toEqual([team.admin.id, team.owner.id].sort())
      expect(new Set(await assets.records(team.customerId))).toEqual(new Set([team.admin.id, team.owner.id]))
    })

    test('an event that comes again changes nothing', async () => {
      const team = await busyCrew()
      const handlers = handlersOver(people.db)
      await erase(team.user.id)
      await handlers.settle()
      const before = [await members(team.customerId), await assets.instances(team.customerId), handlers.events().length]
      handlers.positions.clear()
      await handlers.settle()
      expect([
        await members(team.customerId),
        await assets.instances(team.customerId),
        handlers.events().length,
      ]).toEqual(before)
      expect(handlers.outcomes).toEqual([
        ...['billing', 'compute', 'casework'].map((one) => `${one} applied`),
        ...['billing', 'compute', 'casework'].map((one) => `${one} repeated`),
      ])
    })

    test('a smaller subscription takes the newest instances above its cap; a larger one none; a cancelled one all', async () => {
      const { customerId, owner, user } = await crew(people)
      const handlers = handlersOver(people.db)
      await handlers.ledger.set(customerId, { tier: 'Pro', quantity: 1 }, cause())
      const ids: string[] = []
      for (let i = 0; i < 5; i++)
        ids.push(await assets.instance(customerId, i % 2 ? owner.id : user.id, { createdAt: NOW + i * 1000 }))
      await handlers.settle()
      expect(await assets.instanceIds(customerId)).toEqual(ids)
      await handlers.ledger.set(customerId, { tier: 'Free', quantity: 1 }, cause())
      await handlers.settle()
      expect(await assets.instanceIds(customerId)).toEqual(ids.slice(0, 3))
      expect([...handlers.freed].sort()).toEqual(ids.slice(3).sort())
      expect(await assets.counters(customerId)).toEqual({ max_instances: 3 })

      // Smaller and larger again before anybody looked: the instances of the larger one stay.
      await handlers.ledger.set(customerId, { tier: 'Pro', quantity: 1 }, cause())
      for (const at of [5, 6])
        ids.splice(at - 2, 0, await assets.instance(customerId, user.id, { createdAt: NOW + at * 1e6 }))
      const five = await assets.instanceIds(customerId)
      await handlers.ledger.set(customerId, { tier: 'Free', quantity: 1 }, cause())
      await handlers.ledger.set(customerId, { tier: 'Pro', quantity: 1 }, cause())
      await handlers.settle()
      expect(await assets.instanceIds(customerId)).toEqual(five)

      await handlers.ledger.cancel(customerId, cause())
      await handlers.settle()
      expect(await assets.instanceIds(customerId)).toEqual([])
      expect(await assets.counters(customerId)).toEqual({ max_instances: 0 })
      expect(await people.team.customer(customerId)).not.toBeNull()
    })

    test('a disabled user has what runs stopped and nothing deleted; disabling again says nothing', async () => {
      const { customerId, user, owner } = await crew(people)
      const handlers = handlersOver(people.db)
      await handlers.ledger.set(customerId, { tier: 'Pro', quantity: 1 }, cause())
      await assets.casework(customerId, user.id)
      const of = (status: string, who = user.id) => assets.instance(customerId, who, { status })
      const [running, staging, provisioning, stopped] = [
        await of('RUNNING'),
        await of('STAGING'),
        await of('PROVISIONING'),
        await of('STOPPED'),
      ]
      const another = await of('RUNNING', owner.id)
      for (let i = 0; i < 2; i++) await people.accounts.updateUser(user.id, { disabled: true }, cause())
      await people.accounts.updateUser(owner.id, { roles: ['user'] }, cause())
      await handlers.settle()
      expect(types(handlers.events())).toEqual(['subscription.changed', 'user.disabled'])
      const states = await Promise.all(
        [running, staging, provisioning, stopped, another].map((id) => assets.status(id)),
      )
      expect(states).toEqual(['STOPPING', 'STAGING', 'PROVISIONING', 'STOPPED', 'RUNNING'])
      expect(await assets.records(customerId)).toHaveLength(4)
      expect(await members(customerId)).toContain(user.id)
    })

    test('an event that fails waits with those of its key behind it, in order, and stops nobody else', async () => {
      const [ill, well] = [await crew(people), await crew(people)]
      let broken = true
      const seen: string[] = []
      const handlers = handlersOver(people.db, {
        handlers: (own) =>
          own.map((handler) => ({
            ...handler,
            async apply(event, effects) {
              const done = await handler.apply(event, effects)
              if (handler.name !== 'compute' || event.subject.customerID !== ill.customerId) return done
              if (broken) throw new Error('the zone is down')
              seen.push(event.id)
              return done
            },
          })),
      })
      for (const { user, user2 } of [ill, well]) for (const { id } of [user, user2]) await erase(id)
      await handlers.settle()
      const events = handlers.events()
      expect(handlers.outcomes.filter((one) => one.startsWith('compute'))).toEqual([
        'compute waiting',
        'compute waiting',
        'compute applied',
        'compute applied',
      ])
      expect(await handlers.store.waiting(10)).toBe(2)
      expect(await handlers.retry()).toBe(0)
      handlers.clock.now += PAUSES_MS[0]
      expect(await handlers.retry()).toBe(1)
      // Given out again, as after a crash: what waits is not handled past itself.
      handlers.positions.clear()
      await handlers.settle()
      expect(await handlers.store.waiting(10)).toBe(2)
      expect(seen).toEqual([])

      broken = false
      handlers.clock.now += PAUSES_MS[1]
      expect([await handlers.retry(), await handlers.retry(), await handlers.retry()]).toEqual([1, 1, 0])
      expect(seen).toEqual(events.slice(0, 2).map(({ id }) => id))
      expect(await handlers.store.waiting(10)).toBe(0)
      expect(handlers.failures).toEqual(Array(2).fill('compute: the zone is down'))
      expect(handlers.dead()).toEqual([])
    })

    test('an event that died is handled once more when its letter is put back, twice too, by the handler that buried it alone', async () => {
      const team = await busyCrew()
      const log = memoryLog(1)
      let broken = true
      const tried: string[] = []
      const handlers = handlersOver(people.db, {
        log,
        handlers: (own) =>
          own.map((handler) => ({
            ...handler,
            async apply(event, effects) {
              tried.push(handler.name)
              if (handler.name === 'compute' && broken) throw new Error('the zone is down')
              return handler.apply(event, effects)
            },
          })),
      })
      const diesAgain = async (): Promise<void> => {
        for (const pause of PAUSES_MS) {
          handlers.clock.now += pause
          await handlers.retry()
        }
      }
      await erase(team.user.id)
      await handlers.settle()
      await diesAgain()
      const registry: Registry = {
        register: async () => 1,
        schema: async () => undefined,
        known: () => undefined,
        ping: async () => undefined,
      }
      const box = () => deadLetterBox({ log, registry, now: () => NOW })
      const first = (await box().list({ limit: 10 })).letters
      expect(first).toMatchObject([{ handler: 'compute', reason: 'the zone is down', attempts: 5, replayedFrom: null }])

      // Put back too early: it dies again, and says of which letter it is.
      await box().replay({ ids: [first[0]!.id] }, 'me')
      await handlers.settle()
      expect(await handlers.store.waiting(10)).toBe(1)
      await diesAgain()
      const [second] = (await box().list({ state: 'waiting', limit: 10 })).letters
      expect(second).toMatchObject({ handler: 'compute', attempts: 5, replayedFrom: first[0]!.id })

      // Put back twice, as after a crash before the outcome was noted.
      broken = false
      tried.length = 0
      const before = log.all(ACCOUNT_LIFECYCLE).length
      await box().replay({ ids: [second!.id] }, 'me')
      await log.send([{ topic: ACCOUNT_LIFECYCLE, messages: log.all(ACCOUNT_LIFECYCLE).slice(before) }])
      handlers.outcomes.length = 0
      await handlers.settle()
      expect(tried).toEqual(['compute'])
      expect(handlers.outcomes).toEqual(['compute applied', 'compute repeated'])
    })

    test('what never succeeds is buried with its reason after five tries, and the next of its key goes on', async () => {
      const team = await crew(people)
      const poison = randomUUID()
      const handlers = handlersOver(people.db, {
        handlers: (own) =>
          own.map((handler) => ({
            ...handler,
            async apply(event, effects) {
              if (handler.name === 'casework' && event.id === poison) throw new Error('cannot be')
              return handler.apply(event, effects)
            },
          })),
      })
      await people.offboarding.deleteUser(team.user.id, cause({ id: poison }))
      await erase(team.user2.id)
      await handlers.settle()
      for (const pause of PAUSES_MS) {
        expect(handlers.dead()).toEqual([])
        handlers.clock.now += pause
        expect(await handlers.retry()).toBe(1)
      }
      expect(handlers.dead()).toHaveLength(1)
      expect(handlers.dead()[0]!.headers).toMatchObject({
        'dead-topic': ACCOUNT_LIFECYCLE,
        'dead-handler': 'casework',
        'dead-reason': 'cannot be',
        'dead-attempts': '5',
        'dead-offset': '0',
      })
      expect(handlers.dead()[0]!.value).toEqual(handlers.log.all(ACCOUNT_LIFECYCLE)[0]!.value)
      expect(await handlers.retry()).toBe(1)
      expect(handlers.outcomes.at(-1)).toBe('casework applied')
      handlers.positions.clear()
      await handlers.settle()
      expect([await handlers.store.waiting(10), handlers.dead().length]).toEqual([0, 1])
    })

    test('bytes that are no event are buried, and the others handled', async () => {
      const handlers = handlersOver(people.db)
      const { user, customerId } = await crew(people)
      const broken = { key: customerId, value: Buffer.from('nonsense') }
      const odd = bytesOf({
        id: randomUUID(),
        type: 'user.deleted',
        time: NOW,
        actor: { userID: null, kind: 'system' },
        subject: { userID: null, customerID: customerId },
        data: { memberships: [] },
      })
      await handlers.log.send([{ topic: ACCOUNT_LIFECYCLE, messages: [broken, { key: customerId, value: odd }] }])
      await people.offboarding.deleteUser(user.id, cause())
      for (const group of ['billing', 'compute', 'casework'] as const) expect(await handlers.consume(group)).toBe(true)
      expect(handlers.dead().map(({ headers }) => headers['dead-handler'])).toEqual(
        ['billing', 'compute', 'casework'].flatMap((one) => [one, one]),
      )
    })

    /** The same deletion, dying at the n-th moment of it: whoever comes after ends it. */
    test('a process that dies between any two steps leaves what the next one ends the same way', async () => {
      const moments = ['waits', 'once', 'park'] as const
      let died = 0
      for (let n = 1; ; n++) {
        const team = await busyCrew()
        let left = n
        const at = (point: string): void => {
          if (--left === 0) throw new Died(point)
        }
        const dying = handlersOver(people.db, { store: (own) => watched(own, moments, at) })
        await erase(team.owner.id)
        const alive = await dying.settle().then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof Died)) throw error
            return false
          },
        )
        if (!alive || dying.failures.length > 0) died++
        await people.db
          .updateTable('outbox_turn')
          .set({ until: new Date(0) })
          .execute()
        const next = handlersOver(people.db)
        const messages = dying.log.all(ACCOUNT_LIFECYCLE).map(({ key, value }) => ({ key, value }))
        await next.log.send([{ topic: ACCOUNT_LIFECYCLE, messages }])
        await next.settle()
        next.clock.now += PAUSES_MS[0]
        while ((await next.retry()) > 0) await next.settle()
        expect(await people.team.customer(team.customerId)).toBeNull()
        for (const rows of [assets.instances, assets.records, assets.alertReads, assets.alerts])
          expect(await rows(team.customerId)).toEqual([])
        const ended = next.events().filter(({ type }) => type === 'customer.deleted')
        expect(new Set(ended.map(({ id }) => id)).size).toBe(1)
        if (left > 0) break
      }
      expect(died).toBeGreaterThan(10)
    }, 120_000)

    test('a deletion whose event did not reach the log, or reached it unmarked, is handled once all the same', async () => {
      for (const written of [0, 1]) {
        const log = memoryLog(1)
        const handlers = handlersOver(people.db, { log })
        const team = await busyCrew()
        await erase(team.user.id)
        log.failNext(written)
        await expect(handlers.settle()).rejects.toThrow('the log went away')
        await handlers.settle()
        expect(await members(team.customerId)).toEqual(others(team, team.user.id))
        expect(await assets.instances(team.customerId)).toEqual([team.admin.id, team.owner.id].sort())
        expect(handlers.events()).toHaveLength(1 + written)
        expect(handlers.outcomes.filter((one) => one.endsWith('applied'))).toHaveLength(3)
        expect(handlers.outcomes.filter((one) => one.endsWith('repeated'))).toHaveLength(3 * written)
        await people.db
          .updateTable('outbox_turn')
          .set({ until: new Date(0) })
          .execute()
      }
    })

    test('a customer whose provider cannot be asked stays until it can', async () => {
      let down = true
      const handlers = handlersOver(people.db, {
        removed: async () => {
          if (down) throw new Error('no answer')
        },
      })
      const { owner, customerId } = await crew(people)
      await handlers.ledger.link(customerId, `cus_${customerId}`)
      await erase(owner.id)
      await handlers.settle()
      expect(await people.team.customer(customerId)).not.toBeNull()
      down = false
      handlers.clock.now += PAUSES_MS[0]
      await handlers.retry()
      expect(await people.team.customer(customerId)).toBeNull()
    })

    test('a reconciliation finds what missed events left, repairs it, and finds nothing the next time', async () => {
      const handlers = handlersOver(people.db)
      await handlers.reconcile()
      const [lost, half, odd, good] = [await busyCrew(), await busyCrew(), await busyCrew(), await busyCrew()]
      await handlers.ledger.link(odd.customerId, `cus_${odd.customerId}`)
      // A customer that is gone, a user that is gone, one without owners, and counters that are wrong: nobody was told.
      await people.db.deleteFrom('customers').where('id', '=', lost.customerId).execute()
      await people.db.deleteFrom('users').where('id', '=', half.user.id).execute()
      await people.db.deleteFrom('memberships').where('user_id', '=', odd.owner.id).execute()
      const counter = people.db.updateTable('quota_usage').where('customer_id', '=', good.customerId)
      await counter.set({ used: 9 }).where('feature', '=', 'max_instances').execute()
      await counter.set({ used: 0 }).where('feature', '=', 'max_cases').execute()

      const seen = await handlers.reconcile(true)
      expect(seen).toEqual({
        orphan_memberships: { found: 1, repaired: 0 },
        ownerless_customers: { found: 1, repaired: 0 },
        orphan_instances: { found: 4, repaired: 0 },
        orphan_casework: { found: 24, repaired: 0 },
        quota_drift: { found: 2, repaired: 0 },
        stuck_outbox: { found: 0, repaired: 0 },
      })
      const done = await handlers.reconcile()
      // The instances and the casework of the customer without owners were no orphans before it ended.
      expect(done).toEqual({
        orphan_memberships: { found: 1, repaired: 1 },
        ownerless_customers: { found: 1, repaired: 1 },
        orphan_instances: { found: 7, repaired: 7 },
        orphan_casework: { found: 42, repaired: 42 },
        quota_drift: { found: 2, repaired: 2 },
        stuck_outbox: { found: 0, repaired: 0 },
      })
      expect(handlers.removed).toContain(`cus_${odd.customerId}`)
      const none = { found: 0, repaired: 0 }
      const again = await handlers.reconcile()
      expect(Object.values(again)).toEqual(Array(6).fill(none))
      for (const rows of [assets.instances, assets.records, assets.alertReads, assets.alerts]) {
        expect(await rows(lost.customerId)).toEqual([])
        expect(await rows(odd.customerId)).toEqual([])
        expect(await rows(half.customerId)).not.toContain(half.user.id)
        expect(await rows(half.customerId)).not.toEqual([])
        expect(await rows(good.customerId)).toContain(good.user.id)
      }
      expect(await assets.counters(good.customerId)).toMatchObject({ max_instances: 3, max_cases: 3 })
      expect(await assets.counters(half.customerId)).toMatchObject({ max_instances: 2, max_cases: 2 })
      expect(await members(half.customerId)).toEqual(others(half, half.user.id))
      expect(handlers.failures).toEqual([])
      await handlers.settle()
      expect(types(handlers.events())).toEqual(['customer.deleted'])
    })

    test('an event that is not on the log after five minutes is reported', async () => {
      const handlers = handlersOver(people.db)
      const { user } = await crew(people)
      await people.offboarding.deleteUser(user.id, cause({ now: NOW }))
      handlers.clock.now = NOW + 5 * 60_000
      expect((await handlers.reconcile(true)).stuck_outbox).toEqual({ found: 0, repaired: 0 })
      handlers.clock.now++
      expect((await handlers.reconcile(true)).stuck_outbox).toEqual({ found: 1, repaired: 0 })
    })

    test('a turn is taken by one, and again when its time has come', async () => {
      const { takeTurn } = reconciliation(people.db, TIERS)
      await people.db.deleteFrom('job_turns').execute()
      expect(await Promise.all([1, 2, 3, 4].map(() => takeTurn(NOW, 1000)))).toSatisfy(
        (taken: boolean[]) => taken.filter(Boolean).length === 1,
      )
      expect(await takeTurn(NOW + 999, 1000)).toBe(false)
      expect(await takeTurn(NOW + 1000, 1000)).toBe(true)
    })

    test('what was handled long ago is forgotten, a bounded number at a time', async () => {
      const { store } = handlersOver(people.db)
      for (let i = 0; i < 3; i++) await store.once('casework', randomUUID(), 1_000 + i, async () => undefined)
      expect(await store.prune(1_003, 2)).toBe(2)
      expect(await store.prune(1_003, 2)).toBe(1)
    })
  })
}
