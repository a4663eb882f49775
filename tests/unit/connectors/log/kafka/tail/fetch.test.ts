import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import type { Broker } from '../../../../../../connectors/log/kafka/tail/cluster.ts'
import { type Fetched, fetchFrom, isOutOfRange, Unreadable } from '../../../../../../connectors/log/kafka/tail/fetch.ts'

type Encoder = { buffer: Buffer } & Record<
  'writeInt16' | 'writeInt32' | 'writeInt64' | 'writeString' | 'writeBuffer' | 'writeArray',
  (value: unknown) => Encoder
>
const require = createRequire(import.meta.url)
const EncoderOf = require('kafkajs/src/protocol/encoder') as new () => Encoder
const { RecordBatch } = require('kafkajs/src/protocol/recordBatch/v0') as {
  RecordBatch: (of: object) => Promise<{ buffer: Buffer }>
}
const encodeRecord = require('kafkajs/src/protocol/recordBatch/record/v0') as (of: object) => object

/** A batch of a producer, [first, end), of which compaction has left some offsets. */
async function batchOf(first: number, end: number, left: readonly number[]): Promise<Buffer> {
  const records = left.map((offset) => encodeRecord({ offsetDelta: offset - first, key: 'k', value: `${offset}` }))
  return (await RecordBatch({ firstOffset: first, lastOffsetDelta: end - first - 1, records })).buffer
}

type Answer = { partition: number; code?: number; highWatermark?: number; bytes?: Buffer }

function answerOf(answers: readonly Answer[], code = 0): Buffer {
  const partitions = answers.map(({ partition, code: error = 0, highWatermark = 100, bytes = Buffer.alloc(0) }) =>
    new EncoderOf()
      .writeInt32(partition)
      .writeInt16(error)
      .writeInt64(highWatermark)
      .writeInt64(highWatermark)
      .writeInt64(0)
      .writeArray([])
      .writeInt32(-1)
      .writeInt32(bytes.length)
      .writeBuffer(bytes),
  )
  const topic = new EncoderOf().writeString('t').writeArray(partitions)
  return new EncoderOf().writeInt32(0).writeInt16(code).writeInt32(0).writeArray([topic]).buffer
}

/** What one request gives for an answer of the broker. */
function fetched(bytes: Buffer, wanted: readonly { partition: number; offset: number }[]): Promise<Fetched[]> {
  const broker = {
    connectionPool: {
      send: async ({
        response,
      }: {
        response: { decode(bytes: Buffer): Promise<object>; parse(of: object): unknown }
      }) => response.parse(await response.decode(bytes)),
    },
  } as unknown as Broker
  return fetchFrom(broker, 't', wanted, { partitionBytes: 1, maxBytes: 1, waitMs: 1 })
}

const offsetsOf = ({ messages }: Fetched): number[] => messages.map(({ offset }) => offset)

test('records from the offset on come, and where the answer cuts a batch it is asked for again', async () => {
  const whole = [await batchOf(10, 13, [10, 11, 12]), await batchOf(13, 15, [13, 14])]
  const cut = (await batchOf(15, 18, [15, 16, 17])).subarray(0, 90)
  const bytes = Buffer.concat([...whole, cut])
  const [one, two] = await fetched(answerOf([{ partition: 3, bytes }, { partition: 4 }]), [
    { partition: 3, offset: 11 },
    { partition: 4, offset: 7 },
  ])
  expect(one).toMatchObject({ partition: 3, error: null, to: 15, highWatermark: 100 })
  expect(offsetsOf(one!)).toEqual([11, 12, 13, 14])
  expect(one!.messages[0]).toMatchObject({ key: Buffer.from('k'), value: Buffer.from('11'), headers: {} })
  expect(two).toEqual({ partition: 4, error: null, messages: [], to: 7, highWatermark: 100 })
})

test('what compaction removed is passed, whole batches and ends of batches too', async () => {
  const wanted = [{ partition: 0, offset: 12 }]
  const gaps = [
    { bytes: await batchOf(10, 20, [10, 14]), found: [14], to: 20 },
    { bytes: await batchOf(10, 20, [10, 11]), found: [], to: 20 },
    { bytes: await batchOf(10, 20, []), found: [], to: 20 },
    { bytes: Buffer.concat([await batchOf(10, 20, []), await batchOf(30, 32, [31])]), found: [31], to: 32 },
  ]
  for (const { bytes, found, to } of gaps) {
    const [answer] = await fetched(answerOf([{ partition: 0, bytes }]), wanted)
    expect([offsetsOf(answer!), answer!.to]).toEqual([found, to])
  }
})

test('each partition has its own error, and the others their records', async () => {
  const [moved, gone, good] = await fetched(
    answerOf([
      { partition: 0, code: 6, highWatermark: -1 },
      { partition: 1, code: 1, highWatermark: -1 },
      { partition: 2, bytes: await batchOf(0, 1, [0]) },
    ]),
    [0, 1, 2].map((partition) => ({ partition, offset: 0 })),
  )
  expect(moved!.error).toMatchObject({ type: 'NOT_LEADER_FOR_PARTITION', retriable: true })
  expect([isOutOfRange(moved!.error!), isOutOfRange(gone!.error!)]).toEqual([false, true])
  expect(offsetsOf(good!)).toEqual([0])
})

test('records that cannot be read are told with their partition', async () => {
  const old = await batchOf(0, 1, [0])
  old[16] = 1
  const torn = await batchOf(0, 2, [0, 1])
  // It says that its records are gzip, which they are not.
  torn[22] = 1
  const answers = [old, torn].map((bytes, partition) => ({ partition, bytes }))
  const wanted = answers.map(({ partition }) => ({ partition, offset: 0 }))
  const errors = (await fetched(answerOf(answers), wanted)).map(({ error }) => error)
  for (const error of errors) expect(error).toBeInstanceOf(Unreadable)
  expect(errors[1]!.message).toContain('topic t partition 1: ')
  expect(errors[0]!.message).toBe('topic t partition 0: no record can be read (records of format 1 are not supported)')
})

test('an error of the whole answer is thrown', async () => {
  await expect(fetched(answerOf([], 29), [])).rejects.toMatchObject({ type: 'TOPIC_AUTHORIZATION_FAILED' })
})
