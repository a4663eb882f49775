import { expect, test } from 'vitest'
import type { PlacedAudit } from '../../../../../connectors/history/audit/port.ts'
import type { Batch } from '../../../../../connectors/log/port.ts'
import { auditJob } from '../../../../../pipelines/jobs/operation/audit-job.ts'
import { auditKey } from '../../../../../schemas/audit/record.ts'
import { records } from '../../../../../schemas/log/records.ts'
import { AUDIT_EVENTS } from '../../../../../schemas/log/topics.ts'
import { auditEntry, chained, encodeAudit } from '../../../../builders/audit/records.ts'

function world(fails = 0) {
  let left = fails
  const puts: { records: readonly PlacedAudit[]; token: string }[] = []
  const unreadable: number[] = []
  const job = auditJob({
    store: {
      async put(given, token) {
        if (left-- > 0) throw new Error('away')
        puts.push({ records: given, token })
      },
      isEmpty: async () => false,
    },
    registry: {
      known: () => records.audit,
      schema: async () => records.audit,
      register: async () => 7,
      ping: async () => undefined,
    },
    pause: async () => undefined,
    onUnreadable: ({ offset }) => void unreadable.push(offset),
    onFailure: () => undefined,
  })
  return { job, puts, unreadable }
}

const written = chained([auditEntry(), auditEntry(), auditEntry()], 1)
const batch = (change: (value: Buffer, i: number) => Buffer = (value) => value): Batch => ({
  topic: AUDIT_EVENTS,
  partition: 1,
  messages: written.map((record, i) => ({
    offset: 40 + i,
    timestamp: record.at,
    key: Buffer.from(auditKey(record)),
    value: change(encodeAudit(record), i),
    headers: {},
  })),
  from: 40,
  to: 43,
  note: '',
  redelivered: false,
  highWatermark: 43,
  signal: new AbortController().signal,
})

test('records are stored with their places on the log, under a token that is that of their range', async () => {
  const { job, puts } = world()
  await job.eachBatch(batch())
  await job.eachBatch({ ...batch(), redelivered: true })
  const [first, second] = puts
  expect(first!.records.map(({ record, partition, offset }) => [record.id, partition, offset])).toEqual(
    written.map(({ id }, i) => [id, 1, 40 + i]),
  )
  expect(second!.token).toBe(first!.token)
})

test('a record that cannot be read is told, and the others are stored', async () => {
  const { job, puts, unreadable } = world()
  await job.eachBatch(batch((value, i) => (i === 1 ? value.subarray(0, 20) : value)))
  expect(unreadable).toEqual([41])
  expect(puts[0]!.records.map(({ offset }) => offset)).toEqual([40, 42])
})

test('a store that is away is asked again', async () => {
  const { job, puts } = world(3)
  await job.eachBatch(batch())
  expect(puts.length).toBe(1)
})
