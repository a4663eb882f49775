/** What is promised of commits over any database: they wake the workers of every process that hears of them. */

import { randomUUID } from 'node:crypto'
import type { Updateable } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { kyselyDueInstances } from '../../../connectors/postgres/accounts/instances/due-instances.ts'
import { insertDestination } from '../../../connectors/postgres/casework/deliveries/destinations.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import type { WorkKind } from '../../../connectors/postgres/core/port.ts'
import { kyselyDeliveryQueue } from '../../../connectors/postgres/deliveries/delivery-queue.ts'
import { lifecycleStore } from '../../../connectors/postgres/lifecycle/lifecycle-store.ts'
import { storeRecords } from '../../../connectors/postgres/operation/outbox-store.ts'
import { rowOf } from '../../../connectors/postgres/scans/scan-rows.ts'
import type { DeliveryTables } from '../../../connectors/postgres/tables/deliveries-tables.ts'
import { startRelay } from '../../../pipelines/jobs/accounts/outbox-relay.ts'
import { startScanWorker } from '../../../pipelines/jobs/scans/scan-worker.ts'
import { startDeliveries } from '../../../pipelines/runtime/leases/deliveries.ts'
import { BUILT_IN_TIERS } from '../../../schemas/accounts/tiers/tiers.ts'
import type { DeliveryKind } from '../../../schemas/casework/deliveries/schedule.ts'
import { append } from '../../builders/lifecycle/events.ts'
import { memoryLog } from '../../builders/log/memory-log.ts'
import { receiver } from '../../builders/network/receiver.ts'
import { delivererOver, fire, newDestination } from '../../builders/scans/deliveries.ts'
import { newScan, outboxOver, workerOver } from '../../builders/scans/scans.ts'
import { delivery, enqueue } from '../../builders/scans/webhooks.ts'

/** Far below what a worker waits that hears of commits: nothing here was found by looking again. */
const SOON = { timeout: 5_000, interval: 5 }
const LONGER_MS = 9_999
const TOPIC = 'signals'

type Db = AccountsDatabase['db']

const record = (key: string = randomUUID()) => {
  const content = { topic: TOPIC, key, record: Buffer.from(key) }
  return { id: randomUUID(), ...content, createdAt: Date.now() }
}

const instance = (due_at: Date | null) => ({
  id: randomUUID(),
  customer_id: randomUUID(),
  user_id: randomUUID(),
  name: 'lab',
  zone: 'zone-a',
  machine_type: 'small',
  status: due_at === null ? 'RUNNING' : 'PROVISIONING',
  template_id: null,
  created_at: new Date(),
  due_at,
  afterwards: null,
})

const retry = () => ({
  handler: 'compute',
  key: randomUUID(),
  event_id: randomUUID(),
  record: Buffer.from('x'),
  log_partition: 0,
  log_offset: 0,
  log_time: new Date(),
  attempts: 1,
  next_at: new Date(),
  reason: 'it failed',
})

const OWNER = { customerId: randomUUID(), userId: randomUUID() }

const setScans = (db: Db, status: 'new' | 'queued' | 'running' | 'done') =>
  db.updateTable('scan_tasks').set({ status }).execute()
const setQueues = (db: Db, kind: DeliveryKind, to: Updateable<DeliveryTables['delivery_queues']>) =>
  db.updateTable('delivery_queues').set(to).where('kind', '=', kind).execute()
const TABLES = ['delivery_queues', 'casework_alerts', 'outbox', 'instances', 'lifecycle_retries', 'scan_tasks'] as const

/** Statements, one commit each, and what they ring. */
const commits: { what: string; rings: WorkKind[]; run: (db: Db) => Promise<unknown> }[] = [
  {
    what: 'records for the log',
    rings: ['outbox'],
    run: (db) => db.transaction().execute((tx) => storeRecords(tx, [record(), record()])),
  },
  { what: 'a webhook', rings: ['webhooks'], run: (db) => enqueue(db, delivery('http://hooks.example/')) },
  {
    what: 'a webhook that is tried again',
    rings: ['webhooks'],
    run: (db) => setQueues(db, 'scan', { due_at: new Date() }),
  },
  {
    what: 'the lease of a webhook',
    rings: [],
    run: (db) => setQueues(db, 'scan', { lease_until: new Date() }),
  },
  {
    what: 'a webhook that is tried no more',
    rings: [],
    run: (db) => setQueues(db, 'scan', { due_at: null }),
  },
  {
    what: 'an instance that is due',
    rings: ['instances'],
    run: (db) => db.insertInto('instances').values(instance(new Date())).execute(),
  },
  {
    what: 'an instance that is not due',
    rings: [],
    run: (db) => db.insertInto('instances').values(instance(null)).execute(),
  },
  {
    what: 'a statement that changes no instance',
    rings: [],
    run: (db) => db.updateTable('instances').set({ due_at: new Date() }).where('name', '=', 'none').execute(),
  },
  {
    what: 'an event that waits',
    rings: ['lifecycle'],
    run: (db) => db.insertInto('lifecycle_retries').values(retry()).execute(),
  },
  {
    what: 'an event that waits no more',
    rings: ['lifecycle'],
    run: (db) => db.deleteFrom('lifecycle_retries').execute(),
  },
  {
    what: 'a destination without alerts',
    rings: [],
    run: (db) => db.transaction().execute((tx) => insertDestination(tx, newDestination(OWNER))),
  },
  { what: 'an alert for a destination', rings: ['deliveries'], run: (db) => fire(db, OWNER) },
  {
    what: 'the lease of a destination',
    rings: [],
    run: (db) => setQueues(db, 'alert', { lease_until: new Date() }),
  },
  {
    what: 'a destination for which nothing waits any more',
    rings: [],
    run: (db) => setQueues(db, 'alert', { due_at: null }),
  },
  { what: 'a new scan', rings: [], run: (db) => db.insertInto('scan_tasks').values(rowOf(newScan())).execute() },
  { what: 'a queued scan', rings: ['scans'], run: (db) => setScans(db, 'queued') },
  { what: 'a scan that begins', rings: [], run: (db) => setScans(db, 'running') },
  { what: 'a scan that ends, as its target is free again', rings: ['scans'], run: (db) => setScans(db, 'done') },
]

/**
 * @param open a database of its own
 * @param beside the same database as another process has it open; null: no other can
 */
export function workSignalsContract(
  name: string,
  open: () => Promise<AccountsDatabase>,
  beside: (() => Promise<AccountsDatabase>) | null,
): void {
  describe(name, () => {
    let database: AccountsDatabase
    /** Where commits are made. */
    let writer: AccountsDatabase
    const offs: (() => void)[] = []
    const rung: WorkKind[] = []
    const hear = () => {
      for (const kind of ['outbox', 'webhooks', 'instances', 'lifecycle', 'scans', 'deliveries'] as const)
        offs.push(database.work.on(kind, () => rung.push(kind)))
    }
    beforeAll(async () => {
      database = await open()
      writer = (await beside?.()) ?? database
      database.work.on('outbox', () => undefined)()
      await vi.waitFor(() => expect(database.work.patienceMs(500)).toBeGreaterThan(LONGER_MS), SOON)
    })
    afterEach(async () => {
      for (const off of offs.splice(0)) off()
      for (const table of TABLES) await database.db.deleteFrom(table).execute()
    })
    afterAll(async () => {
      if (writer !== database) await writer?.close()
      await database?.close()
    })

    /** A commit after those that were heard of: notifications arrive in the order of their commits. */
    async function heard(): Promise<Set<WorkKind>> {
      const found = rung.splice(0)
      const mark = await writer.db
        .insertInto('lifecycle_retries')
        .values(retry())
        .returning('seq')
        .executeTakeFirstOrThrow()
      await expect.poll(() => rung.includes('lifecycle'), SOON).toBe(true)
      await writer.db.deleteFrom('lifecycle_retries').where('seq', '=', mark.seq).execute()
      await expect.poll(() => rung.filter((kind) => kind === 'lifecycle').length, SOON).toBe(2)
      return new Set([...found, ...rung.splice(0).filter((kind) => kind !== 'lifecycle')])
    }

    test('each commit rings the workers that it leaves work for, and no others', async () => {
      hear()
      for (const { what, rings, run } of commits) {
        rung.splice(0)
        await run(writer.db)
        if (rings.includes('lifecycle')) {
          await expect.poll(() => rung, { ...SOON, message: what }).toEqual(rings)
        } else expect({ what, rings: [...(await heard())] }).toEqual({ what, rings })
      }
    })

    test('what is rolled back rings nobody', async () => {
      hear()
      const failing = writer.db.transaction().execute(async (tx) => {
        await storeRecords(tx, [record()])
        throw new Error('rolled back')
      })
      await expect(failing).rejects.toThrow('rolled back')
      expect([...(await heard())]).toEqual([])
    })

    test('a commit wakes the relay of another process without a wait for its next look', async () => {
      const log = memoryLog()
      const failures: Error[] = []
      const outbox = outboxOver(database.db)
      let looks = 0
      const pending = (limit: number) => {
        looks++
        return outbox.pending(limit)
      }
      const counted = { ...outbox, pending }
      const ports = { outbox: counted, log, now: Date.now, holder: randomUUID(), work: database.work }
      const relay = startRelay({ ...ports, onPublished: () => undefined, onFailure: (error) => failures.push(error) })
      for (let n = 1; n <= 5; n++) {
        await writer.db.transaction().execute((tx) => storeRecords(tx, [record()]))
        await expect.poll(() => log.all(TOPIC).length, SOON).toBe(n)
      }
      await relay.stop()
      expect(failures).toEqual([])
      // Each commit costs a look, what it found, and a look whether more is waiting.
      expect(looks).toBeLessThan(40)
    })

    test('a commit wakes the scan worker and the sender of webhooks of another process', async () => {
      const target = await receiver((response) => response.end())
      const sending = delivererOver(database.db, 'scan', { work: database.work })
      const scanning = workerOver(database.db, { work: database.work })
      const webhooks = startDeliveries(sending.ports)
      const scans = startScanWorker(scanning.ports)
      for (let n = 1; n <= 3; n++) {
        await enqueue(writer.db, delivery(target.url, { createdAt: Date.now() }))
        await expect.poll(() => sending.outcomes.length, SOON).toBe(n)
        const scan = { ...rowOf(newScan({ host: `192.0.2.${n}`, createdAt: Date.now() })), status: 'queued' as const }
        await writer.db.insertInto('scan_tasks').values(scan).execute()
        await expect.poll(() => scanning.runs, SOON).toEqual(Array(n).fill('done'))
      }
      await Promise.all([webhooks.stop(), scans.stop()])
      await target.close()
      expect([...sending.failures, ...scanning.failures]).toEqual([])
    })

    test('the stores say when their next work is due, leases and events behind others regarded', async () => {
      const { db } = database
      const deliveries = kyselyDeliveryQueue(db, 'scan')
      const instances = kyselyDueInstances(db)
      const retries = lifecycleStore(db, { append, maxInstances: () => 0, tiers: BUILT_IN_TIERS })
      const nextAt = () => Promise.all([deliveries, instances, retries].map((store) => store.nextAt()))
      expect(await nextAt()).toEqual([null, null, null])
      const now = Date.now()
      await enqueue(db, delivery('http://hooks.example/', { createdAt: now }))
      const leaseUntil = new Date(now + 30_000)
      await db.updateTable('delivery_queues').set({ lease_until: leaseUntil }).execute()
      await db.insertInto('instances').values(instance(null)).execute()
      await db
        .insertInto('instances')
        .values(instance(new Date(now + 7)))
        .execute()
      const first = { ...retry(), next_at: new Date(now + 9_000) }
      await db
        .insertInto('lifecycle_retries')
        .values([first, { ...retry(), key: first.key, next_at: new Date(now) }])
        .execute()
      expect(await nextAt()).toEqual([now + 30_000, now + 7, now + 9_000])
      await enqueue(db, delivery('http://hooks.example/', { createdAt: now + 5 }))
      expect(await deliveries.nextAt()).toBe(now + 5)
    })

    test('what becomes due later is begun when it is due', async () => {
      const target = await receiver((response) => response.end())
      const { ports, outcomes } = delivererOver(database.db, 'scan', { work: database.work })
      const webhooks = startDeliveries(ports)
      const dueAt = Date.now() + 1_200
      await enqueue(writer.db, delivery(target.url, { createdAt: dueAt }))
      await expect.poll(() => outcomes.length, SOON).toBe(1)
      expect(target.received[0]!.at).toBeGreaterThanOrEqual(dueAt)
      await webhooks.stop()
      await target.close()
    })
  })
}
