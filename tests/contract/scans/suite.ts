/** What scan tasks promise over any database. */

import { randomUUID } from 'node:crypto'
import { beforeEach, describe, test as everywhere, expect } from 'vitest'
import { kyselyAccounts } from '../../../connectors/postgres/accounts/users/account-store.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { userOffboarding } from '../../../connectors/postgres/lifecycle/offboarding-store.ts'
import type { NewScan, TakeScans } from '../../../connectors/postgres/scans/port.ts'
import type { Scans } from '../../../connectors/postgres/scans/scan-store.ts'
import { relayOnce } from '../../../pipelines/jobs/accounts/outbox-relay.ts'
import { scanning } from '../../../pipelines/jobs/scans/scan-worker.ts'
import { AUTOMATIC_SCANS, OBSERVATIONS, SCANS_OF_USERS } from '../../../schemas/log/topics.ts'
import { KEEP_MS, next, SCAN_STATES, type ScanEvent, STUCK_MS } from '../../../schemas/scans/scan.ts'
import { newUser } from '../../builders/accounts/accounts.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { append, cause } from '../../builders/lifecycle/events.ts'
import { memoryLog } from '../../builders/log/memory-log.ts'
import { fakeScanner, newScan, outboxOver, requestIn, scansOver, workerOver } from '../../builders/scans/scans.ts'
import { during, prepared } from '../../builders/suite/during.ts'

const NOW = 1_800_000_000_000
const LEASE_MS = 30_000
const NOTHING = { observations: [], entities: 0, error: null }

export function scansContract(name: string, open: () => Promise<AccountsDatabase>, test: Test = everywhere): void {
  describe(name, () => {
    const database = during(open)
    const scans = prepared(() => scansOver(database.db))
    beforeEach(async () => {
      for (const table of ['scan_tasks', 'outbox', 'delivery_queues'] as const)
        await database.db.deleteFrom(table).execute()
    })

    const wanted = (given: Partial<TakeScans> = {}): TakeScans => ({
      holder: randomUUID(),
      now: NOW,
      leaseMs: LEASE_MS,
      limit: 16,
      automatic: 12,
      ...given,
    })
    const stored = async (topic: string) =>
      (await database.db.selectFrom('outbox').selectAll().orderBy('seq').execute()).filter((row) => row.topic === topic)
    const row = (id: string) =>
      database.db.selectFrom('scan_tasks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const deliveries = () => database.db.selectFrom('deliveries').selectAll().execute()
    /** Tasks whose requests are on the log, in this order. */
    async function queued(...all: NewScan[]): Promise<NewScan[]> {
      for (const [i, scan] of all.entries()) {
        await scans.schedule(scan)
        await scans.published([scan.id], NOW + i)
      }
      return all
    }
    const taken = async (scan: NewScan, now = NOW) => {
      await queued(scan)
      const [lease] = await scans.take(wanted({ now }))
      expect(lease?.id).toBe(scan.id)
      return lease!
    }
    const withWebhook = () =>
      newScan({
        webhook: { url: 'http://hooks.example/', headers: [{ key: 'a', value: 'b' }], secret: 's'.repeat(43) },
      })

    test('a new task is stored with its request, and met by the same user and target from then on', async () => {
      const scan = newScan()
      expect(await scans.schedule(scan)).toEqual({ created: true, scan: { id: scan.id, status: 'new' } })
      const [request, ...others] = await stored(SCANS_OF_USERS)
      expect(others).toEqual([])
      expect([request!.key, requestIn(request!.record)]).toEqual([
        scan.target.value,
        { id: scan.id, target: scan.target.value, kind: 'ip', requestedAt: NOW },
      ])
      const again = await scans.schedule({ ...newScan({ userId: scan.userId }), priority: 'automatic' })
      expect(again).toEqual({ created: false, scan: { id: scan.id, status: 'new' } })
      expect((await scans.schedule(newScan())) as object).toMatchObject({ created: true })
      expect(await scans.schedule(newScan({ userId: scan.userId, host: '192.0.2.2' }))).toMatchObject({ created: true })
      expect([(await stored(SCANS_OF_USERS)).length, (await stored(AUTOMATIC_SCANS)).length]).toEqual([3, 0])
    })

    everywhere('of fifty who ask for one target at once, one makes the task and all have it', async () => {
      const userId = randomUUID()
      const all = await Promise.all(Array.from({ length: 50 }, () => scans.schedule(newScan({ userId }))))
      const made = all.map((one) => (one === 'no user' ? null : one))
      expect(made.filter((one) => one?.created)).toHaveLength(1)
      expect(new Set(made.map((one) => one?.scan.id)).size).toBe(1)
      expect(await stored(SCANS_OF_USERS)).toHaveLength(1)
    })

    test('a task ends with the account of its user, and none is made for an account that is gone', async () => {
      const accounts = kyselyAccounts(database.db, append)
      const user = newUser()
      await accounts.createUser(user)
      const scan = newScan({ userId: user.id, account: true })
      await scans.schedule(scan)
      expect((await scans.scan(scan.id, user.id))?.id).toBe(scan.id)
      await userOffboarding(database.db, append).deleteUser(user.id, cause())
      expect(await scans.scan(scan.id)).toBeNull()
      expect(await scans.schedule(newScan({ userId: user.id, account: true }))).toBe('no user')
      expect(await stored(SCANS_OF_USERS)).toHaveLength(1)
    })

    test('a task is queued in the transaction that marks its request as published', async () => {
      const [first, second] = [newScan(), newScan({ priority: 'automatic' })]
      await scans.schedule(first)
      await scans.schedule(second)
      const log = memoryLog()
      const relay = { outbox: outboxOver(database.db), log, now: () => NOW + 5, holder: randomUUID() }
      await relay.outbox.take(relay.holder, 0, 0)
      log.failWith(new Error('the log is away'))
      await expect(relayOnce(relay)).rejects.toThrow('the log is away')
      expect((await row(first.id)).status).toBe('new')
      log.failWith(null)
      expect(await relayOnce(relay)).toBe(2)
      expect(
        log.sends
          .flat()
          .map(({ topic }) => topic)
          .sort(),
      ).toEqual([AUTOMATIC_SCANS, SCANS_OF_USERS])
      for (const { id } of [first, second]) expect((await row(id)).status).toBe('queued')
      await relay.outbox.leave(relay.holder)
    })

    test('tasks of users are taken first, then the longest queued, and automatic ones keep to their places', async () => {
      const automatic = (host: string) => newScan({ host, priority: 'automatic' })
      const [a, b, c, d, e] = await queued(
        automatic('192.0.2.1'),
        automatic('192.0.2.2'),
        newScan({ host: '192.0.2.3' }),
        automatic('192.0.2.4'),
        newScan({ host: '192.0.2.5' }),
      )
      const ids = async (given: Partial<TakeScans>) => (await scans.take(wanted(given))).map(({ id }) => id)
      expect(await ids({ limit: 1 })).toEqual([c!.id])
      expect(await ids({ limit: 2, automatic: 0 })).toEqual([e!.id])
      expect(await ids({ limit: 3, automatic: 2 })).toEqual([a!.id, b!.id])
      expect(await ids({ limit: 3, automatic: 1 })).toEqual([d!.id])
      expect(await ids({})).toEqual([])
    })

    test('one target is scanned once at a time, whoever asked', async () => {
      const [first, second, other] = await queued(newScan(), newScan(), newScan({ host: '192.0.2.9' }))
      const leases = await scans.take(wanted())
      expect(leases.map(({ id }) => id)).toEqual([first!.id, other!.id])
      expect(await scans.take(wanted())).toEqual([])
      expect(await scans.finish(leases[0]!, NOTHING, NOW)).toBe(true)
      expect((await scans.take(wanted())).map(({ id }) => id)).toEqual([second!.id])
    })

    everywhere('takers at the same time get every task once, and no target twice', async () => {
      const all = Array.from({ length: 60 }, (_, i) => newScan({ host: `192.0.2.${i % 40}` }))
      await queued(...all)
      const rounds = await Promise.all(Array.from({ length: 8 }, () => scans.take(wanted({ limit: 10 }))))
      const tasks = rounds.flat()
      expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length)
      expect(new Set(tasks.map(({ target }) => target.value)).size).toBe(tasks.length)
      expect(tasks.length).toBe(40)
    })

    test('a finished task submits, tells its webhook and shows what came of it, all at once', async () => {
      const scan = withWebhook()
      const lease = await taken(scan, NOW + 10)
      const observations = [1, 2].map((n) => ({ id: randomUUID(), key: `ip-${n}`, record: Buffer.from([n]) }))
      expect(await scans.finish(lease, { observations, entities: 2, error: 'cut\0here' }, NOW + 20)).toBe(true)
      expect((await stored(OBSERVATIONS)).map(({ id, key, record }) => ({ id, key, record }))).toEqual(observations)
      const shown = await scans.scan(scan.id)
      expect(shown).toEqual({
        id: scan.id,
        userId: scan.userId,
        target: scan.target.value,
        priority: 'user',
        status: 'done',
        retries: 0,
        createdAt: NOW,
        startedAt: NOW + 10,
        finishedAt: NOW + 20,
        entities: 2,
        error: 'cut here',
        webhook: { url: 'http://hooks.example/', state: 'waiting' },
      })
      const [told] = await deliveries()
      expect(told).toMatchObject({ url: 'http://hooks.example/', headers: [{ key: 'a', value: 'b' }] })
      expect(JSON.parse(told!.body!.toString())).toEqual({
        id: scan.id,
        target: scan.target.value,
        status: 'done',
        entities: 2,
        startedAt: new Date(NOW + 10).toISOString(),
        finishedAt: new Date(NOW + 20).toISOString(),
      })
    })

    test('a lease that was lost changes nothing: nothing is submitted, nobody is told', async () => {
      const scan = withWebhook()
      const old = await taken(scan)
      expect(await scans.recover(NOW + LEASE_MS, 10)).toEqual([{ id: scan.id, status: 'queued' }])
      const [fresh] = await scans.take(wanted({ now: NOW + LEASE_MS }))
      expect(fresh!.fence).toBeGreaterThan(old.fence)
      const result = {
        observations: [{ id: randomUUID(), key: 'k', record: Buffer.from('x') }],
        entities: 1,
        error: null,
      }
      expect(await scans.finish(old, result, NOW)).toBe(false)
      expect(await scans.fail(old, 'failed', 'late', NOW)).toBeNull()
      await scans.release(old, NOW)
      expect([...(await scans.renew([old, fresh!], NOW + 90_000))]).toEqual([scan.id])
      expect([...(await scans.renew([old], NOW + 90_000))]).toEqual([])
      expect([await stored(OBSERVATIONS), await deliveries()]).toEqual([[], []])
      expect(await row(scan.id)).toMatchObject({
        status: 'running',
        retries: 1,
        error: 'the process ended during the scan',
      })
      expect(await scans.finish(fresh!, result, NOW)).toBe(true)
      expect(await scans.finish(fresh!, result, NOW)).toBe(false)
      expect(await stored(OBSERVATIONS)).toHaveLength(1)
      expect(await deliveries()).toHaveLength(1)
      // The first run began it: an observation has the same time whichever run submits it.
      expect(fresh!.startedAt).toBe(old.startedAt)
    })

    test('a task that fails is tried three times, asked for again each time, and then its webhook hears', async () => {
      const scan = withWebhook()
      let lease = await taken(scan)
      for (const want of ['queued', 'queued', 'permanent_failure']) {
        expect(await scans.fail(lease, 'failed', `no\u0007 answer ${'x'.repeat(600)}\ud800`, NOW)).toBe(want)
        if (want === 'queued') lease = (await scans.take(wanted()))[0]!
      }
      const shown = await scans.scan(scan.id)
      expect(shown).toMatchObject({ status: 'permanent_failure', retries: 2, entities: 0 })
      expect([shown!.error!.slice(0, 10), shown!.error!.length]).toEqual(['no  answer', 500])
      expect(await stored(SCANS_OF_USERS)).toHaveLength(3)
      const told = (await deliveries()).map(({ body }) => JSON.parse(body!.toString()).status)
      expect(told).toEqual(['permanent_failure'])
    })

    test('what is refused is not tried again, and what is given back counts no try', async () => {
      const scan = newScan()
      await scans.release(await taken(scan), NOW)
      expect(await row(scan.id)).toMatchObject({ status: 'queued', retries: 0, holder: null })
      const [lease] = await scans.take(wanted())
      expect(await scans.fail(lease!, 'refused', 'private', NOW)).toBe('permanent_failure')
    })

    test('an administrator has a task done again once it has ended; its webhook hears each end once', async () => {
      const scan = withWebhook()
      const lease = await taken(scan)
      expect(await scans.again(scan.id, NOW)).toBe('unchanged')
      await scans.finish(lease, { ...NOTHING, entities: 3 }, NOW)
      expect(await scans.again(scan.id, NOW + 1)).toBe('queued')
      expect(await scans.scan(scan.id)).toMatchObject({
        status: 'queued',
        startedAt: null,
        finishedAt: null,
        entities: 0,
      })
      const [once] = await scans.take(wanted({ now: NOW + 2 }))
      expect([once!.round, once!.startedAt]).toEqual([1, NOW + 2])
      await scans.finish(once!, NOTHING, NOW + 3)
      expect(await deliveries()).toHaveLength(1)
      expect(await scans.again(randomUUID(), NOW)).toBe('no task')
    })

    test('a run of four hours is stuck even while its lease is prolonged', async () => {
      const scan = newScan()
      const lease = await taken(scan)
      await scans.renew([lease], NOW + 2 * STUCK_MS)
      expect(await scans.recover(NOW + STUCK_MS - 1, 10)).toEqual([])
      expect(await scans.recover(NOW + STUCK_MS, 10)).toEqual([{ id: scan.id, status: 'queued' }])
      expect((await row(scan.id)).error).toBe('the scan ran for 4 hours without finishing')
    })

    everywhere('several sweeps at once recover a task once', async () => {
      for (let i = 0; i < 10; i++) await queued(newScan({ host: `192.0.2.${i}` }))
      await scans.take(wanted())
      const swept = await Promise.all(Array.from({ length: 5 }, () => scans.recover(NOW + LEASE_MS, 100)))
      expect(swept.flat()).toHaveLength(10)
      expect(await stored(SCANS_OF_USERS)).toHaveLength(20)
    })

    test('a queued task that nobody took is asked for again, once an hour', async () => {
      const [scan] = await queued(newScan())
      expect(await scans.remind(NOW - 1, NOW, 10)).toBe(0)
      expect(await scans.remind(NOW, NOW + 3_600_000, 10)).toBe(1)
      expect(await scans.remind(NOW, NOW + 3_600_000, 10)).toBe(0)
      const requests = await stored(SCANS_OF_USERS)
      expect(requests.map(({ record }) => requestIn(record).id)).toEqual([scan!.id, scan!.id])
    })

    test('a task is gone 168 hours after it was made, whatever its state', async () => {
      const scan = newScan()
      const lease = await taken(scan)
      expect(await scans.prune(NOW + KEEP_MS - KEEP_MS, 10)).toBe(0)
      expect(await scans.prune(NOW + 1, 10)).toBe(1)
      expect(await scans.finish(lease, NOTHING, NOW)).toBe(false)
      expect(await scans.schedule({ ...scan, id: randomUUID() })).toMatchObject({ created: true })
    })

    test('lists and totals are by state and priority, newest first', async () => {
      const [first, second] = await queued(newScan(), newScan({ priority: 'automatic', createdAt: NOW + 1 }))
      const third = newScan({ createdAt: NOW + 2, host: '192.0.2.7' })
      await scans.schedule(third)
      const page = { limit: 2, offset: 0 }
      const ids = async (filter: Parameters<Scans['list']>[0], at = page) => {
        const { items, scans: found } = await scans.list(filter, at)
        return [items, ...found.map(({ id }) => id)]
      }
      expect(await ids({})).toEqual([3, third.id, second!.id])
      expect(await ids({}, { limit: 2, offset: 2 })).toEqual([3, first!.id])
      expect(await ids({}, { limit: 2, offset: 4 })).toEqual([3])
      expect(await ids({ status: 'queued', priority: 'automatic' })).toEqual([1, second!.id])
      expect(await ids({ status: 'done' })).toEqual([0])
      expect(await ids({ userId: third.userId })).toEqual([1, third.id])
      expect(await ids({ userId: third.userId, status: 'queued' })).toEqual([0])
      expect(await ids({ userId: randomUUID() })).toEqual([0])
      expect(await scans.backlog(1)).toMatchObject({ states: { new: 1, queued: 1 } })
      expect(await scans.backlog(10)).toEqual({
        states: { new: 1, queued: 2, running: 0, done: 0, permanent_failure: 0 },
        oldest: { user: NOW, automatic: NOW + 1 },
      })
    })

    everywhere('two workers run every task once, and submit what it found once', async () => {
      const all = Array.from({ length: 40 }, (_, i) => newScan({ host: `8.8.${i % 30}.8` }))
      await queued(...all)
      const { scanner, begun } = fakeScanner()
      const workers = [0, 1].map(() => workerOver(database.db, { scanner, now: () => NOW + 100, atOnce: 5 }))
      await Promise.all(
        workers.map(async ({ ports }) => {
          const work = scanning(ports)
          while ((await work.begin()) > 0) await work.ended()
          // The last ones of a target had to wait for the other worker.
          while ((await scans.backlog(1)).states.queued > 0) await work.begin().then(() => work.ended())
        }),
      )
      expect(begun).toHaveLength(40)
      expect(workers.flatMap(({ runs }) => runs)).toEqual(all.map(() => 'done'))
      expect(workers.flatMap(({ failures }) => failures)).toEqual([])
      const submitted = (await stored(OBSERVATIONS)).map(({ id }) => id)
      expect([submitted.length, new Set(submitted).size]).toEqual([80, 80])
      expect((await scans.list({ status: 'done' }, { limit: 1, offset: 0 })).items).toBe(40)
    })

    test('what the database does in any state is what the rule says', async () => {
      const lease = { id: '', fence: 0 }
      const acts: Partial<Record<ScanEvent, () => Promise<unknown>>> = {
        published: () => scans.published([lease.id], NOW),
        taken: () => scans.take(wanted()),
        finished: () => scans.finish(lease, NOTHING, NOW),
        failed: () => scans.fail(lease, 'failed', 'x', NOW),
        refused: () => scans.fail(lease, 'refused', 'x', NOW),
        released: () => scans.release(lease, NOW),
        expired: () => scans.recover(NOW, 10),
        asked: () => scans.again(lease.id, NOW),
      }
      for (const status of SCAN_STATES)
        for (const [event, act] of Object.entries(acts)) {
          await database.db.deleteFrom('scan_tasks').execute()
          const scan = newScan()
          lease.id = scan.id
          await scans.schedule(scan)
          await database.db
            .updateTable('scan_tasks')
            .set({ status, retries: 2, lease_until: new Date(NOW) })
            .execute()
          const want = next({ status, retries: 2, since: NOW, leaseUntil: NOW }, event as ScanEvent, NOW)
          await act()
          const is = await row(scan.id)
          expect([status, event, is.status, is.retries]).toEqual([
            ...[status, event, want?.status ?? status, want?.retries ?? 2],
          ])
        }
    })
  })
}
