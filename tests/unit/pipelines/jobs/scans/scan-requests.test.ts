import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Batch, LogMessage } from '../../../../../connectors/log/port.ts'
import type { Registry } from '../../../../../connectors/registry/port.ts'
import { scanRequestJob } from '../../../../../pipelines/jobs/scans/scan-requests.ts'
import { encoder } from '../../../../../schemas/log/codec.ts'
import { records } from '../../../../../schemas/log/records.ts'
import { deadTopic, SCANS_OF_USERS } from '../../../../../schemas/log/topics.ts'
import { memoryLog } from '../../../../builders/log/memory-log.ts'

const registry: Registry = {
  register: async () => 1,
  schema: async () => records.scanRequest,
  known: () => records.scanRequest,
  ping: async () => undefined,
}
const encode = encoder(records.scanRequest, 1)
const request = (id: string) => encode({ id, target: '8.8.8.8', kind: 'ip', requestedAt: 0 })

const batchOf = (values: (Buffer | null)[], signal = new AbortController().signal): Batch => ({
  topic: SCANS_OF_USERS,
  partition: 0,
  from: 0,
  to: values.length,
  note: '',
  redelivered: false,
  highWatermark: values.length,
  signal,
  messages: values.map(
    (value, offset): LogMessage => ({ offset, timestamp: 0, key: Buffer.from('8.8.8.8'), value, headers: {} }),
  ),
})

function job(published: (ids: readonly string[]) => Promise<void>) {
  const log = memoryLog()
  const seen = { woken: 0, failures: [] as string[] }
  const { eachBatch } = scanRequestJob({
    log,
    registry,
    scans: { published },
    now: () => 0,
    wake: () => void seen.woken++,
    onFailure: (error) => void seen.failures.push((error as Error).message),
  })
  return { log, seen, eachBatch }
}

test('requests are noted and the worker is woken; what is no request is buried with the reason', async () => {
  const noted: string[][] = []
  const { log, seen, eachBatch } = job(async (ids) => void noted.push([...ids]))
  const ids = [randomUUID(), randomUUID()]
  const rest = [null, Buffer.from('no record'), request("'; DROP TABLE scan_tasks; --")]
  await eachBatch(batchOf([request(ids[0]!), ...rest, request(ids[1]!)]))
  expect([noted, seen.woken]).toEqual([[ids], 1])
  const dead = log.sends.flat()
  expect(dead.map(({ topic, headers }) => [topic, headers?.['dead-offset']])).toEqual(
    [1, 2, 3].map((offset) => [deadTopic(SCANS_OF_USERS), String(offset)]),
  )
  expect(dead[2]!.headers?.['dead-reason']).toBe('id is not a UUID')
})

test('while the database is away a batch waits, and is left to the next owner when it is taken away', async () => {
  const taken = new AbortController()
  const { seen, eachBatch } = job(async () => {
    if (seen.failures.length === 0) setImmediate(() => taken.abort())
    throw new Error('away')
  })
  await expect(eachBatch(batchOf([request(randomUUID())], taken.signal))).rejects.toThrow('away')
  expect(seen).toEqual({ woken: 0, failures: ['away'] })
})
