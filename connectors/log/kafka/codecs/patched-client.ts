/**
 * The client with faults of its own put right, by replacing the methods that have them (ADR 158, ADR 253), and with its
 * slow functions for sending replaced by faster ones that give the same bytes (ADR 267).
 */

import { createRequire } from 'node:module'
import { stoppableFetchManager } from '../group/fetch-manager.ts'
import { encodeRecord } from './record.ts'

/** The polynomial of Castagnoli, its bits turned round. */
const CASTAGNOLI = 0x82f63b78

/** What a byte adds to the sum that is followed by 0 to 7 others. */
function tables(): Int32Array[] {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let sum = byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ CASTAGNOLI : sum >>> 1
    return sum
  })
  const all = [first]
  for (let followed = 1; followed < 8; followed++)
    all.push(all[followed - 1]!.map((before) => (before >>> 8) ^ first[before & 0xff]!))
  return all
}
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables() as [Int32Array] & Record<number, Int32Array>

/** CRC-32C of the bytes, unsigned. Takes eight of them at a time, where the client takes one (ADR 267). */
export function crc32c(bytes: Uint8Array): number {
  const whole = bytes.length & ~7
  let sum = -1
  let at = 0
  for (; at < whole; at += 8) {
    sum ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
    sum =
      t7![sum & 0xff]! ^
      t6![(sum >>> 8) & 0xff]! ^
      t5![(sum >>> 16) & 0xff]! ^
      t4![sum >>> 24]! ^
      t3![bytes[at + 4]!]! ^
      t2![bytes[at + 5]!]! ^
      t1![bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!
  }
  for (; at < bytes.length; at++) sum = t0[(sum ^ bytes[at]!) & 0xff]! ^ (sum >>> 8)
  return ~sum >>> 0
}

const require = createRequire(import.meta.url)

/**
 * Puts `ours` in the place of what a module of the client exports, for those that read the module later. Where another
 * file has loaded the client before this one, it keeps its own functions, which give the same bytes.
 */
function replaceModule(name: string, ours: unknown): void {
  require(name)
  require.cache[require.resolve(name)]!.exports = ours
}
replaceModule('kafkajs/src/protocol/recordBatch/record/v0', encodeRecord)
replaceModule('kafkajs/src/protocol/recordBatch/crc32C', crc32c)
const FETCH_MANAGER = 'kafkajs/src/consumer/fetchManager'
replaceModule(FETCH_MANAGER, stoppableFetchManager(require(FETCH_MANAGER)))

type Grouped = { topic: string; partitionMetadata: unknown[]; messages: unknown[]; partitioner: (of: object) => number }
// The client copies all messages of a partition for each one that comes to them.
replaceModule('kafkajs/src/producer/groupMessagesPerPartition', (given: Grouped): Record<number, unknown[]> => {
  const { topic, partitionMetadata, messages, partitioner } = given
  const groups: Record<number, unknown[]> = {}
  if (partitionMetadata.length === 0) return groups
  for (const message of messages) {
    const partition = partitioner({ topic, partitionMetadata, message })
    groups[partition] ??= []
    groups[partition].push(message)
  }
  return groups
})

type Encoder = { buf: Buffer; offset: number; ensureAvailable(length: number): void }
const { prototype: encoding } = require('kafkajs/src/protocol/encoder') as {
  prototype: Encoder & { writeEncoderArray(this: Encoder, parts: { buffer: Buffer }[]): Encoder }
}

/** Room for `length` more bytes. The client zeroes what it is about to write. */
encoding.ensureAvailable = function ensureAvailable(length) {
  const needed = this.offset + length
  if (needed <= this.buf.length) return
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.buf.length))
  this.buf.copy(larger, 0, 0, this.offset)
  this.buf = larger
}

/** Records, partitions and topics. The client makes room for one after another, by copying those before. */
encoding.writeEncoderArray = function writeEncoderArray(parts) {
  const buffers = parts.map(({ buffer }) => buffer)
  this.ensureAvailable(buffers.reduce((sum, { length }) => sum + length, 0))
  for (const buffer of buffers) this.offset += buffer.copy(this.buf, this.offset)
  return this
}

const kafkajs = require('kafkajs') as typeof import('kafkajs')

type Header = { key: string; value: Buffer | null }
type Decoder = { readVarInt(): number }
const { prototype: decoding } = require('kafkajs/src/protocol/decoder') as {
  prototype: { readVarIntArray<T>(read: (decoder: Decoder) => T): T[] }
}

/**
 * The headers of a record. The client folds them into a new object for every header: 100,000 of them, which fit into
 * one record, would take it many minutes in which nothing else runs.
 */
class Headers extends Array<Header> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }
  override reduce(): never {
    const headers: Record<string, Buffer | null> = Object.create(null)
    for (const { key, value } of this) headers[key] = value
    return headers as never
  }
}

// It reads nothing but headers.
decoding.readVarIntArray = function readHeaders(this: Decoder, read) {
  const headers = new Headers()
  for (let left = this.readVarInt(); left > 0; left--) headers.push(read(this) as Header)
  return headers as never
}

type Queue = {
  throttledUntil: number
  throttleCheckTimeoutId: NodeJS.Timeout | null
  pending: unknown[]
  checkPendingRequests(): void
}
const { prototype: queueing } = require('kafkajs/src/network/requestQueue') as {
  prototype: { scheduleCheckPendingRequests(this: Queue): void }
}
const CHECK_MS = 10

/**
 * The client starts a timer that ends in the past when it is not throttled and nothing waits; Node warns of each such
 * process (TimeoutNegativeWarning) and makes it one millisecond.
 */
queueing.scheduleCheckPendingRequests = function schedule() {
  if (this.throttleCheckTimeoutId !== null) return
  const throttled = this.throttledUntil - Date.now()
  if (throttled <= 0 && this.pending.length === 0) return
  this.throttleCheckTimeoutId = setTimeout(
    () => {
      this.throttleCheckTimeoutId = null
      this.checkPendingRequests()
    },
    throttled > 0 ? throttled : CHECK_MS,
  )
}

export default kafkajs
