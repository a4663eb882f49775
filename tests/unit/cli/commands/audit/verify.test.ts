import { expect, test } from 'vitest'
import type { AuditContext } from '../../../../../cli/commands/audit/records.ts'
import { exportRecords } from '../../../../../cli/commands/audit/register.ts'
import { verifiedText, verifyChains } from '../../../../../cli/commands/audit/verify.ts'
import { headText, readHead } from '../../../../../schemas/audit/heads.ts'
import { auditKey } from '../../../../../schemas/audit/record.ts'
import { records } from '../../../../../schemas/log/records.ts'
import { AUDIT_EVENTS } from '../../../../../schemas/log/topics.ts'
import { AUDIT_SCHEMA, auditEntry, chained, encodeAudit } from '../../../../builders/audit/records.ts'
import { memoryLog } from '../../../../builders/log/memory-log.ts'

const PARTITIONS = 2
const { signal } = new AbortController()
const registry: AuditContext['registry'] = {
  known: (id) => (id === AUDIT_SCHEMA ? records.audit : undefined),
  schema: async () => undefined,
}

async function written(n: number, change: (value: Buffer, partition: number, i: number) => Buffer | null = (v) => v) {
  const log = memoryLog(PARTITIONS)
  const chains = [0, 1].map((partition) =>
    chained(
      Array.from({ length: n }, (_, i) => auditEntry({ at: 1_800_000_000_000 + i })),
      partition,
    ),
  )
  const messages = chains.flatMap((chain, partition) =>
    chain.flatMap((record, i) => {
      const value = change(encodeAudit(record), partition, i)
      return value === null ? [] : [{ key: auditKey(record), value, partition, timestamp: record.at }]
    }),
  )
  await log.send([{ topic: AUDIT_EVENTS, messages }])
  return { log, registry, chains }
}
const verify = (context: AuditContext, ...kept: string[]) =>
  verifyChains(context, { kept: kept.map((text) => readHead(text)!), signal })

test('a log that is as it was written prints how many records each partition has, and its head', async () => {
  const context = await written(3)
  const [first, second] = await verify(context)
  expect([first!.faults, second!.faults]).toEqual([[], []])
  expect(verifiedText(second!)).toBe(
    `partition 1: 3 records, whole, head 1:3:${context.chains[1]!.at(-1)!.hash.toString('hex')}\n`,
  )
})

test('one changed byte is named by its place, and the other partitions are whole', async () => {
  const context = await written(5, (value, partition, i) => {
    if (partition === 1 && i === 3) value[40]! ^= 1
    return value
  })
  const [first, second] = await verify(context)
  expect(first!.faults).toEqual([])
  expect(second!.faults).toMatchObject([expect.stringMatching(/^partition 1 offset 3: /)])
  expect(verifiedText(second!)).toContain('WRONG')
})

test('a cut end is whole by itself, and differs from a head that was kept', async () => {
  const [, before] = await verify(await written(5))
  const head = headText(before!.head)
  const cut = await written(5, (value, partition, i) => (partition === 1 && i === 4 ? null : value))
  expect((await verify(cut)).flatMap(({ faults }) => faults)).toEqual([])
  expect((await verify(cut, head)).flatMap(({ faults }) => faults)).toEqual(['partition 1 has 4 records, and had 5'])
})

test('a head that was kept is found within a longer log, and one of another log or of no partition is not', async () => {
  const context = await written(5)
  const kept = headText({ partition: 0, count: 3, hash: context.chains[0]![2]!.hash })
  expect((await verify(context, kept)).flatMap(({ faults }) => faults)).toEqual([])
  const other = headText({ partition: 0, count: 3, hash: Buffer.alloc(32, 1) })
  expect((await verify(context, kept, other)).flatMap(({ faults }) => faults)).toHaveLength(1)
  const nowhere = headText({ partition: 9, count: 3, hash: Buffer.alloc(32, 1) })
  expect((await verify(context, nowhere)).flatMap(({ faults }) => faults)).toEqual(['partition 9 is missing'])
})

test('what the log itself cannot read is named by where it begins', async () => {
  const context = await written(5)
  const log: AuditContext['log'] = {
    ...context.log,
    async *scan(topic, partition, from, to) {
      yield* context.log.scan(topic, partition, from, 2)
      if (to > 2) throw new Error('the frame is damaged')
    },
  }
  const [first] = await verify({ log, registry })
  expect(first!.faults).toEqual(['partition 0 offset 2: the frame is damaged'])
})

test('an export has each record once, within its times, in either form', async () => {
  const context = await written(4)
  const lines: string[] = []
  const write = async (text: string) => void lines.push(...text.split('\n').filter((line) => line !== ''))
  const times = { since: 1_800_000_000_001, until: 1_800_000_000_003 }
  expect(await exportRecords(context, { format: 'ndjson', ...times, write, signal })).toBe(4)
  expect(lines.map((line) => (JSON.parse(line) as { sequence: number }).sequence)).toEqual([1, 2, 1, 2])
  lines.length = 0
  await exportRecords(context, { format: 'ocsf', since: null, until: null, write, signal })
  expect(lines.map((line) => (JSON.parse(line) as { class_uid: number }).class_uid)).toEqual(Array(8).fill(6003))
})
