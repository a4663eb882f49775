import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crc32c } from '../../../../../../connectors/log/kafka/codecs/patched-client.ts'
import { encodeRecord, type UnencodedRecord } from '../../../../../../connectors/log/kafka/codecs/record.ts'

const require = createRequire(import.meta.url)

/** Modules of the client as it was published, read again beside those that are replaced. */
function untouched<T>(read: () => T): T {
  const kept = Object.entries(require.cache).filter(([path]) => path.includes('/kafkajs/'))
  for (const [path] of kept) delete require.cache[path]
  const found = read()
  for (const path of Object.keys(require.cache)) if (path.includes('/kafkajs/')) delete require.cache[path]
  for (const [path, module] of kept) require.cache[path] = module
  return found
}

type Encoded = { buffer: Buffer }
const REQUEST = 'kafkajs/src/protocol/requests/produce/v3/request'
const theirs = untouched(() => ({
  record: require('kafkajs/src/protocol/recordBatch/record/v0') as (record: UnencodedRecord) => Encoded,
  crc: require('kafkajs/src/protocol/recordBatch/crc32C') as (bytes: Buffer) => number,
  group: require('kafkajs/src/producer/groupMessagesPerPartition') as (given: object) => object,
  request: require(REQUEST) as (given: object) => { encode(): Promise<Encoded> },
}))
const ours = {
  group: require('kafkajs/src/producer/groupMessagesPerPartition') as typeof theirs.group,
  request: require(REQUEST) as typeof theirs.request,
}

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array))
const field = fc.oneof(fc.constant(null), bytes(200), fc.string({ unit: 'binary' }), bytes(3_000))
const header = fc.oneof(bytes(100), fc.string({ unit: 'binary' }))
const record = fc.record({
  offsetDelta: fc.nat(),
  timestampDelta: fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constantFrom(0, 2 ** 31, -(2 ** 31) - 1, 63, 64, -65)),
  key: field,
  value: field,
  headers: fc.dictionary(fc.string(), fc.oneof(header, fc.array(header, { maxLength: 3 })), { maxKeys: 4 }),
})

test('a record has the bytes that the client would have given it', () => {
  fc.assert(
    fc.property(record, (given) => encodeRecord(given).buffer.equals(theirs.record(given).buffer)),
    { numRuns: 500 },
  )
})

test('a header without a value is written as one', () => {
  const { buffer } = encodeRecord({ key: null, value: Buffer.from('v'), headers: { h: null } })
  expect(buffer.toString('hex')).toBe('14000000010276020268' + '01')
})

test('the sum over a batch is the one of its standard and of the client, at every length', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283)
  fc.assert(fc.property(bytes(300), (given) => crc32c(given) === theirs.crc(given)))
})

test('a request to a broker has the bytes that the client would have sent', async () => {
  const messages = fc.array(
    record.map(({ key, value, headers }) => ({ key, value, headers, timestamp: '1700000000000' })),
    { minLength: 1, maxLength: 40 },
  )
  const partition = fc.record({ partition: fc.nat(20), firstSequence: fc.nat(), messages })
  const topic = fc.record({ topic: fc.string(), partitions: fc.array(partition, { minLength: 1, maxLength: 4 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(topic, { maxLength: 3 }), async (topicData) => {
      const given = { acks: -1, timeout: 1000, topicData }
      const [mine, published] = await Promise.all([ours.request(given).encode(), theirs.request(given).encode()])
      return mine.buffer.equals(published.buffer)
    }),
    { numRuns: 60 },
  )
})

test('messages are grouped by their partition, in their order, as the client does', () => {
  const partitionMetadata = [{}]
  const partitioner = ({ message }: { message: number }) => message % 3
  const given = { topic: 't', partitionMetadata, partitioner, messages: [4, 1, 0, 3, 5, 2, 7] }
  expect(ours.group(given)).toEqual(theirs.group(given))
  expect(ours.group({ ...given, partitionMetadata: [] })).toEqual({})
  const many = Array.from({ length: 200_000 }, () => 3)
  expect(ours.group({ ...given, messages: many })).toEqual({ 0: many })
})
