import { expect, test } from 'vitest'
import type { LogMessage } from '../../../../connectors/log/port.ts'
import { findAppended } from '../../../../pipelines/runtime/find-appended.ts'
import { memoryLog } from '../../../builders/log/memory-log.ts'

const idOf = ({ key }: LogMessage) => key?.toString()
const message = (key: string) => ({ key, value: Buffer.from(key) })

test('what was appended after the watermarks is found, what stood before is not', async () => {
  const log = memoryLog()
  await log.send([{ topic: 't', messages: [message('a0'), message('b1')] }])
  const marks = (await log.offsets('t')).map(({ partition, high }) => ({ partition, offset: high }))
  await log.send([{ topic: 't', messages: [message('c0'), message('d1'), message('e0')] }])
  const found = await findAppended(log, 't', marks, new Set(['a0', 'c0', 'd1', 'z9']), idOf)
  expect([...found].sort()).toEqual(['c0', 'd1'])
})

test('more records than one step are all read', async () => {
  const log = memoryLog(1)
  const keys = Array.from({ length: 25_000 }, (_, i) => `k${i}`)
  await log.send([{ topic: 't', messages: keys.map(message) }])
  const found = await findAppended(log, 't', [{ partition: 0, offset: 0 }], () => true, idOf)
  expect(found.size).toBe(25_000)
})

test('gaps that compaction left end the reading, they do not hang it', async () => {
  const log = {
    offsets: async () => [{ partition: 0, low: 0, high: 100 }],
    read: async (_topic: string, _partition: number, from: number) =>
      from > 40 ? [] : [{ offset: 40, timestamp: 0, key: Buffer.from('a'), value: null, headers: {} }],
  }
  expect(await findAppended(log, 't', [{ partition: 0, offset: 7 }], () => true, idOf)).toEqual(new Set(['a']))
})

test('records without an id are passed over', async () => {
  const log = memoryLog(1)
  await log.send([{ topic: 't', messages: [message('a')] }])
  expect(
    await findAppended(
      log,
      't',
      [{ partition: 0, offset: 0 }],
      () => true,
      () => undefined,
    ),
  ).toEqual(new Set())
})

test('a partition without a watermark was added since, and is read from its start', async () => {
  const log = memoryLog(2)
  await log.send([{ topic: 't', messages: [message('a0'), message('b1')] }])
  expect(await findAppended(log, 't', [{ partition: 0, offset: 1 }], () => true, idOf)).toEqual(new Set(['b1']))
})

test('a watermark that is no longer held is an error', async () => {
  const log = { offsets: async () => [{ partition: 0, low: 10, high: 20 }], read: async () => [] }
  await expect(findAppended(log, 't', [{ partition: 0, offset: 5 }], () => true, idOf)).rejects.toThrow(
    'starts at offset 10',
  )
})
