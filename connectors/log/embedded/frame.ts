import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { LogMessage, OutgoingMessage } from '../port.ts'

/**
 * A frame is the records that one append gave to one partition, kept as one value.
 * crc u32 | format u32 | base offset f64 | running max timestamp f64 | count u32 | span u32 | max timestamp f64 | entries
 * entry: offset delta u32 | timestamp f64 | key length i32 | value length i32 | headers length u32 | the three of them
 * Format 2 has its entries compressed: what producers send in batches shrinks to a quarter, on the disk and in the pages
 * of it that readers keep in memory. The checksum covers what follows the running maximum. The two numbers before it are given at the append, when the
 * bytes are ready; the base offset is checked against the key of the frame.
 */
const PLAIN = 1
const COMPRESSED = 2
/**
 * Bytes of entries from which compression is worth its time. The reports of one commit are below: packing them would keep
 * the write lock, and everybody who waits for the answer, longer than it saves (ADR 267).
 */
const COMPRESS_FROM = 64 * 1024
/** Entries of one frame, unpacked: a frame of about a mebibyte, or one record and its dead letter's headers. */
const MAX_ENTRIES = 8 * 1024 * 1024
/** What feeds compress to is a sixth. */
const USUAL_RATIO = 8
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const CHECKED_FROM = 24
const HEADER = 40
const ENTRY = 24

/**
 * Stands in the place of the headers of a record that its sender has checked: what a release of before reads as a header.
 * The number is that of the rules: it is raised when a record that passed them may be refused.
 */
const MARK = Buffer.from('{"checked":"1"}')

export type FrameEntry = {
  /** Offset less the base offset. */
  delta: number
  timestamp: number
  key: Buffer | null
  value: Buffer | null
  /** JSON of the headers; null without headers. */
  headers: Buffer | null
}

/**
 * The headers of an entry, which are its own or say that it was checked. Headers that read like the mark are none: a blank
 * tells them apart.
 */
export function headersOf({ headers, checked }: OutgoingMessage): Buffer | null {
  const own = headers !== undefined && Object.keys(headers).length > 0
  if (!own) return checked ? MARK : null
  const text = Buffer.from(JSON.stringify(headers))
  return text.equals(MARK) ? Buffer.from(`${text} `) : text
}

function isChecked(frame: Buffer, from: number, length: number): boolean {
  if (length !== MARK.length) return false
  for (let i = 0; i < length; i++) if (frame[from + i] !== MARK[i]) return false
  return true
}

export type FrameHeader = {
  baseOffset: number
  /** The highest timestamp of this frame and of all before it. */
  runningMax: number
  count: number
  /** The frame owns the offsets [baseOffset, baseOffset + span), whether or not compaction left them. */
  span: number
  maxTimestamp: number
}

export const entrySize = (entry: FrameEntry): number =>
  ENTRY + (entry.key?.length ?? 0) + (entry.value?.length ?? 0) + (entry.headers?.length ?? 0)

/** The bytes of a frame, still without a place in the partition. */
export function encodeFrame(entries: readonly FrameEntry[], span: number): Buffer {
  let size = HEADER
  for (const entry of entries) size += entrySize(entry)
  const frame = Buffer.allocUnsafe(size)
  let at = HEADER
  let maxTimestamp = 0
  for (const entry of entries) {
    frame.writeUInt32LE(entry.delta, at)
    frame.writeDoubleLE(entry.timestamp, at + 4)
    frame.writeInt32LE(entry.key ? entry.key.length : -1, at + 12)
    frame.writeInt32LE(entry.value ? entry.value.length : -1, at + 16)
    frame.writeUInt32LE(entry.headers?.length ?? 0, at + 20)
    at += ENTRY
    if (entry.key) at += entry.key.copy(frame, at)
    if (entry.value) at += entry.value.copy(frame, at)
    if (entry.headers) at += entry.headers.copy(frame, at)
    if (entry.timestamp > maxTimestamp) maxTimestamp = entry.timestamp
  }
  frame.writeUInt32LE(PLAIN, 4)
  frame.writeUInt32LE(entries.length, 24)
  frame.writeUInt32LE(span, 28)
  frame.writeDoubleLE(maxTimestamp, 32)
  const packed = size - HEADER < COMPRESS_FROM ? frame : compressEntries(frame)
  packed.writeUInt32LE(checksum(packed), 0)
  return placeFrame(packed, 0, 0)
}

/** The same frame with its entries compressed, unless that would not make it shorter. */
function compressEntries(frame: Buffer): Buffer {
  const entries = zstdCompressSync(frame.subarray(HEADER), FAST)
  if (entries.length >= frame.length - HEADER) return frame
  const packed = Buffer.concat([frame.subarray(0, HEADER), entries])
  packed.writeUInt32LE(COMPRESSED, 4)
  return packed
}

const checksum = (frame: Buffer): number => crc32(frame.subarray(CHECKED_FROM), frame.readUInt32LE(4))

/** Gives a frame its place: where it starts and the highest timestamp up to its end. */
export function placeFrame(frame: Buffer, baseOffset: number, runningMax: number): Buffer {
  frame.writeDoubleLE(baseOffset, 8)
  frame.writeDoubleLE(runningMax, 16)
  return frame
}

export const unplacedHeader = (frame: Buffer): Pick<FrameHeader, 'span' | 'maxTimestamp'> => ({
  span: frame.readUInt32LE(28),
  maxTimestamp: frame.readDoubleLE(32),
})

/** What stands before the entries, or null when the bytes are no frame that ends before offset `end`. */
export function frameHeader(frame: Buffer, end: number): FrameHeader | null {
  if (frame.length < HEADER) return null
  const format = frame.readUInt32LE(4)
  if (format !== PLAIN && format !== COMPRESSED) return null
  const baseOffset = frame.readDoubleLE(8)
  const { span, maxTimestamp } = unplacedHeader(frame)
  if (!Number.isSafeInteger(baseOffset) || baseOffset + span !== end) return null
  return {
    baseOffset,
    runningMax: frame.readDoubleLE(16),
    count: frame.readUInt32LE(24),
    span,
    maxTimestamp,
  }
}

/** Whether the checksum holds; what it covers may then be trusted to be as it was written. */
export const isIntact = (frame: Buffer): boolean => frame.readUInt32LE(0) === checksum(frame)

/** The entries of an intact frame. Keys, values and headers are views of its bytes, unpacked. */
export function* entriesOf(packed: Buffer): Generator<FrameEntry> {
  const frame = decompressEntries(packed)
  let at = 0
  for (let left = packed.readUInt32LE(24); left > 0; left--) {
    const keyLength = frame.readInt32LE(at + 12)
    const valueLength = frame.readInt32LE(at + 16)
    const headersLength = frame.readUInt32LE(at + 20)
    const keyEnd = at + ENTRY + Math.max(keyLength, 0)
    const valueEnd = keyEnd + Math.max(valueLength, 0)
    yield {
      delta: frame.readUInt32LE(at),
      timestamp: frame.readDoubleLE(at + 4),
      key: keyLength < 0 ? null : frame.subarray(at + ENTRY, keyEnd),
      value: valueLength < 0 ? null : frame.subarray(keyEnd, valueEnd),
      headers: headersIn(frame, valueEnd, headersLength),
    }
    at = valueEnd + headersLength
  }
}

function headersIn(frame: Buffer, from: number, length: number): Buffer | null {
  if (length === 0) return null
  return isChecked(frame, from, length) ? MARK : frame.subarray(from, from + length)
}

function decompressEntries(frame: Buffer): Buffer {
  const entries = frame.subarray(HEADER)
  if (frame.readUInt32LE(4) !== COMPRESSED) return entries
  // In one piece where it can be: out of pieces of the usual 16 KiB it is put together by a copy.
  return zstdDecompressSync(entries, { maxOutputLength: MAX_ENTRIES, chunkSize: entries.length * USUAL_RATIO + 1024 })
}

/** Of nearly all records: one object for all of them, as a batch holds tens of thousands at a time. */
const NO_HEADERS: Record<string, string> = Object.freeze({})

/** A record as consumers see it. */
export function messageOf({ delta, timestamp, key, value, headers }: FrameEntry, baseOffset: number): LogMessage {
  const offset = baseOffset + delta
  if (headers === MARK) return { offset, timestamp, key, value, headers: NO_HEADERS, checked: true }
  return {
    offset,
    timestamp,
    key,
    value,
    headers: headers === null ? NO_HEADERS : JSON.parse(headers.toString('utf8')),
  }
}
