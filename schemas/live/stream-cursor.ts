/** Where a stream of changes is, as its reader keeps it (decisions 10.4, 12.1). */

import type { Seals } from '../cursors/seal.ts'

/** How far a stream has read one partition of the changes. */
export type StreamPlace = {
  /** The next offset to read. */
  offset: number
  /** The first offset of the observations whose changes were not told: what stands before it and comes again was told. */
  observed: number
}

export type StreamPosition = {
  /** By partition of the changes. */
  places: readonly StreamPlace[]
  /** When its reader was there, unix milliseconds, in whole seconds. */
  at: number
}

/** Longest cursor of a stream, in characters: enough for 200 partitions. */
export const MAX_STREAM_CURSOR = 4_096

const VERSION = 1
const SECOND = 1_000
const MAX_VARINT_BYTES = 8
const MAX_PLACES = 200

/** What a cursor is bound to: whose stream it is, and what it tells, but not the form of the answer. */
export const streamPurpose = (userId: string | null, filter: string): string =>
  `stream ${userId ?? 'anonymous'} ${filter}`

/** @throws RangeError for more partitions than a cursor has room for */
export function streamCursor(seals: Seals, purpose: string, { places, at }: StreamPosition): string {
  if (places.length > MAX_PLACES) throw new RangeError(`a cursor has room for ${MAX_PLACES} partitions`)
  const content = Buffer.allocUnsafe(1 + MAX_VARINT_BYTES * (1 + 2 * places.length))
  content[0] = VERSION
  let end = writeVarint(content, 1, Math.floor(at / SECOND))
  for (const { offset, observed } of places) {
    end = writeVarint(content, end, offset)
    end = writeVarint(content, end, observed)
  }
  return seals.seal(purpose, content.subarray(0, end))
}

/** The position; null for a cursor that was changed, or is of another stream or of something else. */
export function positionIn(seals: Seals, purpose: string, cursor: string): StreamPosition | null {
  const content = seals.open(purpose, cursor, MAX_STREAM_CURSOR)
  if (content === null || content[0] !== VERSION) return null
  const numbers = readVarints(content.subarray(1))
  if (numbers === null || numbers.length % 2 === 0) return null
  const places: StreamPlace[] = []
  for (let i = 1; i < numbers.length; i += 2) places.push({ offset: numbers[i]!, observed: numbers[i + 1]! })
  return { places, at: numbers[0]! * SECOND }
}

/** Seven bits a byte, the lowest first; the highest bit says that more follow. */
function writeVarint(into: Buffer, at: number, value: number): number {
  let rest = value
  while (rest >= 0x80) {
    into[at++] = (rest % 0x80) | 0x80
    rest = Math.floor(rest / 0x80)
  }
  into[at++] = rest
  return at
}

function readVarints(from: Buffer): number[] | null {
  const found: number[] = []
  let value = 0
  let scale = 1
  for (const byte of from) {
    value += (byte & 0x7f) * scale
    if (value > Number.MAX_SAFE_INTEGER) return null
    if (byte >= 0x80) scale *= 0x80
    else {
      found.push(value)
      value = 0
      scale = 1
    }
  }
  return scale === 1 ? found : null
}
