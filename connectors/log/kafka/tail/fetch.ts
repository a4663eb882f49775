import { createRequire } from 'node:module'
import type { KafkaMessage } from 'kafkajs'
import '../codecs/patched-client.ts'
import type { LogMessage } from '../../port.ts'
import { fromKafka } from '../messages.ts'
import { type Broker, type ProtocolRequest, READ_COMMITTED } from './cluster.ts'

export type Wanted = { partition: number; offset: number }

export type Fetched = {
  partition: number
  /** Null: there is an answer. */
  error: Error | null
  messages: LogMessage[]
  /** Where to go on; not past what was asked for when nothing came. */
  to: number
  highWatermark: number
}

export type FetchBounds = {
  /** Bytes on the wire, of one partition and of the answer; one batch of a producer may be more. */
  partitionBytes: number
  maxBytes: number
  /** Milliseconds that the broker waits for a record where it has none. */
  waitMs: number
}

type Decoder = {
  readInt8(): number
  readInt16(): number
  readInt32(): number
  readInt64(): { toString(): string }
  readString(): string | null
  readBytes(length: number): Buffer
  canReadBytes(length: number): boolean
  readArray<T>(read: (decoder: Decoder) => T): T[]
  readArrayAsync<T>(read: (decoder: Decoder) => Promise<T>): Promise<T[]>
}
type ClientMessage = KafkaMessage & { isControlRecord: boolean }
type RecordBatch = { firstOffset: string; lastOffsetDelta: number; records: ClientMessage[] }
type Aborted = { producerId: string; firstOffset: string }
type Filter = (given: { messages: ClientMessage[]; abortedTransactions: Aborted[] }) => ClientMessage[]

const require = createRequire(import.meta.url)
const Decoder = require('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => Decoder
const requestOf = require('kafkajs/src/protocol/requests/fetch/v11/request') as (given: object) => object
const readBatch = require('kafkajs/src/protocol/recordBatch/v0/decoder') as (from: Decoder) => Promise<RecordBatch>
const withoutAborted = require('kafkajs/src/consumer/filterAbortedMessages') as Filter
const { createErrorFromCode } = require('kafkajs/src/protocol/error') as { createErrorFromCode(code: number): Error }

const OFFSET_OUT_OF_RANGE = 1
/** What a batch of records begins with, before they do; the format of records is named within. */
const BATCH_HEAD = 61
const FORMAT_AT = 16
const FORMAT = 2

export const isOutOfRange = (error: Error): boolean => (error as { code?: unknown }).code === OFFSET_OUT_OF_RANGE

/**
 * One request for records to one broker (Fetch, version 11), outside of any group. The client's own fails as a whole
 * where one partition has moved, and does not say where a batch ends whose last records compaction removed.
 * @throws Error when the broker does not answer, or records cannot be read
 */
export async function fetchFrom(
  broker: Broker,
  topic: string,
  wanted: readonly Wanted[],
  { partitionBytes, maxBytes, waitMs }: FetchBounds,
): Promise<Fetched[]> {
  const request: ProtocolRequest<{ partitions: Fetched[] }> = {
    request: requestOf({
      replicaId: -1,
      maxWaitTime: waitMs,
      minBytes: 1,
      maxBytes,
      isolationLevel: READ_COMMITTED,
      topics: [
        {
          topic,
          partitions: wanted.map(({ partition, offset }) => ({
            partition,
            fetchOffset: String(offset),
            maxBytes: partitionBytes,
          })),
        },
      ],
    }),
    response: { decode: (bytes) => decode(new Decoder(bytes), topic, wanted), parse: async (decoded) => decoded },
    requestTimeout: waitMs,
  }
  return (await broker.connectionPool.send(request)).partitions
}

async function decode(decoder: Decoder, topic: string, wanted: readonly Wanted[]) {
  const clientSideThrottleTime = decoder.readInt32()
  const code = decoder.readInt16()
  decoder.readInt32() // the session, which is none
  if (code !== 0) throw createErrorFromCode(code)
  const topics = await decoder.readArrayAsync(async () => {
    decoder.readString()
    return decoder.readArrayAsync(() => decodePartition(decoder, topic, wanted))
  })
  return { clientSideThrottleTime, partitions: topics.flat() }
}

async function decodePartition(decoder: Decoder, topic: string, wanted: readonly Wanted[]): Promise<Fetched> {
  const partition = decoder.readInt32()
  const code = decoder.readInt16()
  const highWatermark = longOf(decoder)
  decoder.readInt64() // the last stable offset
  decoder.readInt64() // where the partition begins
  const abortedTransactions = decoder.readArray(() => ({
    producerId: decoder.readInt64().toString(),
    firstOffset: decoder.readInt64().toString(),
  }))
  decoder.readInt32() // a replica that is nearer
  const bytes = decoder.readBytes(Math.max(0, decoder.readInt32()))
  const offset = wanted.find((one) => one.partition === partition)?.offset ?? Number.MAX_SAFE_INTEGER
  const nothing = { partition, messages: [], to: offset, highWatermark }
  if (code !== 0) return { ...nothing, error: createErrorFromCode(code) }
  try {
    const { records, end } = await readRecords(bytes)
    const here = records.filter((record) => Number(record.offset) >= offset)
    const messages = withoutAborted({ messages: here, abortedTransactions })
      .filter(({ isControlRecord }) => !isControlRecord)
      .map(fromKafka)
    return { partition, error: null, messages, to: Math.max(offset, end), highWatermark }
  } catch (cause) {
    return { ...nothing, error: new Unreadable(`topic ${topic} partition ${partition}: no record can be read`, cause) }
  }
}

/** Whole batches; the last one is cut where the answer ends. `end`: the offset after them, gaps included. */
async function readRecords(bytes: Buffer): Promise<{ records: ClientMessage[]; end: number }> {
  const records: ClientMessage[] = []
  let end = 0
  for (let at = 0; bytes.length - at >= BATCH_HEAD; ) {
    const format = bytes.readInt8(at + FORMAT_AT)
    if (format !== FORMAT) throw new Error(`records of format ${format} are not supported`)
    const next = at + 12 + bytes.readInt32BE(at + 8)
    if (next > bytes.length) break
    const batch = await readBatch(new Decoder(bytes.subarray(at, next)))
    for (const record of batch.records) records.push(record)
    end = Number(batch.firstOffset) + batch.lastOffsetDelta + 1
    at = next
  }
  return { records, end }
}

const longOf = (decoder: Decoder): number => Number(decoder.readInt64().toString())

/** What a producer wrote cannot be read, now or later. */
export class Unreadable extends Error {
  constructor(message: string, cause: unknown) {
    super(`${message} (${cause instanceof Error ? cause.message : String(cause)})`, { cause })
    this.name = 'Unreadable'
  }
}
