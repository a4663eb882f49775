import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { partitionOf } from '../../../../../connectors/log/partitioner.ts'
import { auditSealing, storeEntries } from '../../../../../connectors/postgres/operation/audit-store.ts'
import { kyselyOutbox } from '../../../../../connectors/postgres/operation/outbox-store.ts'
import { relayOnce } from '../../../../../pipelines/jobs/accounts/outbox-relay.ts'
import type { AuditRecord } from '../../../../../schemas/audit/record.ts'
import { chainOf } from '../../../../../schemas/audit/verify.ts'
import { decoder } from '../../../../../schemas/log/codec.ts'
import { records } from '../../../../../schemas/log/records.ts'
import { AUDIT_EVENTS } from '../../../../../schemas/log/topics.ts'
import { memoryDatabase } from '../../../../builders/accounts/database/memory-database.ts'
import { auditEntry, encodeAudit } from '../../../../builders/audit/records.ts'
import { memoryLog } from '../../../../builders/log/memory-log.ts'
import { during } from '../../../../builders/suite/during.ts'

const PARTITIONS = 3
const decode = decoder<AuditRecord>(records.audit, () => records.audit)

const database = during(memoryDatabase)
beforeEach(async () => {
  for (const table of ['audit_waiting', 'audit_chains', 'outbox'])
    await sql`DELETE FROM ${sql.table(table)}`.execute(database.db)
})

const sealing = () =>
  auditSealing(database.db, { encode: encodeAudit, partitionOf: (key) => partitionOf(key, PARTITIONS) })
const entries = (n: number) => Array.from({ length: n }, () => auditEntry())

/** Checks every chain of what is on the log, in its order; returns how many records they have. */
function whole(log: ReturnType<typeof memoryLog>): number {
  const chains = Array.from({ length: PARTITIONS }, (_, partition) => chainOf(partition))
  for (const [offset, { key, value }] of log.all(AUDIT_EVENTS).entries()) {
    const decoded = decode(value!)
    if (!decoded.ok) throw new Error(decoded.reason)
    const chain = chains[decoded.record.partition]!
    expect(chain.add({ offset, key, headers: {}, decoded })).toBe(null)
  }
  return chains.reduce((sum, chain) => sum + chain.head().count, 0)
}

const relay = async (log: ReturnType<typeof memoryLog>, holder: string) => {
  const ports = { outbox: kyselyOutbox(database.db), log, now: Date.now, holder }
  while ((await relayOnce(ports)) > 0);
  await ports.outbox.leave(holder)
}

test('records are sealed in the order in which they were stored, some at a time, and their chains are whole', async () => {
  const given = entries(25)
  await storeEntries(database.db)(given)
  expect(await sealing().waiting()).toBe(true)
  expect(await sealing().seal(10)).toBe(10)
  expect(await sealing().seal(100)).toBe(15)
  expect([await sealing().seal(100), await sealing().waiting()]).toEqual([0, false])
  const log = memoryLog(1)
  await relay(log, '00000000-0000-4000-8000-00000000000a')
  expect(whole(log)).toBe(25)
  const ids = log
    .all(AUDIT_EVENTS)
    .map(({ value }) => decode(value!))
    .map((read) => read.ok && read.record.id)
  expect(new Set(ids)).toEqual(new Set(given.map(({ id }) => id)))
})

test('a send that failed halfway is repeated with the same bytes', async () => {
  await storeEntries(database.db)(entries(5))
  await sealing().seal(100)
  const log = memoryLog(1)
  log.failNext(3)
  const holder = '00000000-0000-4000-8000-00000000000a'
  await expect(relay(log, holder)).rejects.toThrow()
  await relay(log, holder)
  expect(log.all(AUDIT_EVENTS).length).toBeGreaterThan(5)
  expect(whole(log)).toBe(5)
})

test('what is stored while others seal goes on in the same chains', async () => {
  const log = memoryLog(1)
  const store = storeEntries(database.db)
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      await store(entries(3))
      await sealing().seal(4)
    }),
  )
  while ((await sealing().seal(4)) > 0);
  await relay(log, '00000000-0000-4000-8000-00000000000a')
  expect(whole(log)).toBe(30)
})

test('a record that cannot be sealed is not lost', async () => {
  await storeEntries(database.db)(entries(2))
  const broken = auditSealing(database.db, {
    encode: () => {
      throw new Error('no')
    },
    partitionOf: () => 0,
  })
  await expect(broken.seal(10)).rejects.toThrow('no')
  expect(await sealing().seal(10)).toBe(2)
})
