import { isUtf8 } from 'node:buffer'
import avsc, { type Type } from 'avsc'

const { types } = avsc

/** Levels of nesting that a record may have; a submission needs about thirty. */
export const MAX_DEPTH = 128

/** What a walk returns instead of an end: the bytes hold no value, a text that is not UTF-8, or too many levels. */
const MALFORMED = -1
export const NO_TEXT = -2
export const TOO_DEEP = -3

/** Returns the position after the value, or below zero when the bytes do not hold one. */
type Walk = (bytes: Buffer, at: number, depth: number) => number

/**
 * A walk over the binary encoding of `type`: the offset after one value that starts at `at`, or -1 when the bytes end
 * early, or a count or length cannot be met by the bytes that are left; -2 (NO_TEXT) when a text is not UTF-8: decoded,
 * every wrong byte would become the same character, and different texts one; -3 (TOO_DEEP) past `MAX_DEPTH` levels.
 * It builds nothing, so its cost is bounded by the length of the bytes whatever they claim (ADR 267).
 */
export function endOf(type: Type): (bytes: Buffer, at: number) => number {
  const walk = walkOf(type, new Map())
  return (bytes, at) => walk(bytes, at, 0)
}

function walkOf(type: Type, known: Map<Type, Walk>): Walk {
  const before = known.get(type)
  if (before) return before
  // A recursive type meets itself below: it gets this forward, bound once the walk exists.
  let walk: Walk
  known.set(type, (bytes, at, depth) => walk(bytes, at, depth))
  walk = build(type, (inner) => walkOf(inner, known))
  known.set(type, walk)
  return walk
}

function build(type: Type, walkOf: (type: Type) => Walk): Walk {
  if (type instanceof types.LogicalType) return walkOf(type.underlyingType)
  if (type instanceof types.RecordType) return fields(type.fields.map((field) => walkOf(field.type)))
  if (type instanceof types.ArrayType) return blocks([walkOf(type.itemsType)])
  if (type instanceof types.MapType) return blocks([text, walkOf(type.valuesType)])
  if (type instanceof types.WrappedUnionType || type instanceof types.UnwrappedUnionType)
    return branch(type.types.map(walkOf))
  if (type instanceof types.EnumType) return branch(type.symbols.map(() => (_, at) => at))
  if (type instanceof types.FixedType) return fixed(type.size)
  switch (type.typeName) {
    case 'null':
      return (_, at) => at
    case 'boolean':
      return fixed(1)
    case 'int':
    case 'long':
      return (bytes, at) => (readLong(bytes, at) === null ? MALFORMED : position)
    case 'float':
      return fixed(4)
    case 'double':
      return fixed(8)
    case 'string':
      return text
    case 'bytes':
      return sized
    default:
      throw new TypeError(`the Avro type ${type.typeName} is not supported`)
  }
}

const fixed =
  (size: number): Walk =>
  (bytes, at) =>
    at + size <= bytes.length ? at + size : MALFORMED

const sized: Walk = (bytes, at) => {
  const length = readLong(bytes, at)
  return length !== null && length >= 0 && length <= bytes.length - position ? position + length : MALFORMED
}

const text: Walk = (bytes, at) => {
  const end = sized(bytes, at, 0)
  // Most texts are plain ASCII: the first other byte is where the rest is looked at.
  for (let i = position; i < end; i++) if (bytes[i]! >= 0x80) return isUtf8(bytes.subarray(i, end)) ? end : NO_TEXT
  return end
}

function fields(walks: readonly Walk[]): Walk {
  return (bytes, at, depth) => {
    if (depth > MAX_DEPTH) return TOO_DEEP
    let end = at
    for (const walk of walks) {
      end = walk(bytes, end, depth + 1)
      if (end < 0) return end
    }
    return end
  }
}

/** Arrays and maps: blocks of items, each led by its count; a negative count is followed by the bytes of the block. */
function blocks(walks: readonly Walk[]): Walk {
  const item = fields(walks)
  return (bytes, at, depth) => {
    let end = at
    for (;;) {
      let count = readLong(bytes, end)
      if (count === null) return MALFORMED
      end = position
      if (count === 0) return end
      if (count < 0) {
        if (readLong(bytes, end) === null) return MALFORMED
        end = position
        count = -count
      }
      // Items of no length (an array of nulls) could be claimed without end; nothing of ours has them.
      if (count > bytes.length - end) return MALFORMED
      for (; count > 0; count--) {
        end = item(bytes, end, depth + 1)
        if (end < 0) return end
      }
    }
  }
}

function branch(walks: readonly Walk[]): Walk {
  return (bytes, at, depth) => {
    const index = readLong(bytes, at)
    const walk = index === null ? undefined : walks[index]
    return walk ? walk(bytes, position, depth) : MALFORMED
  }
}

/** Where the last `readLong` ended: a second result without an object for every number. */
let position = 0

/** A zigzag varint of at most ten bytes, or null when it does not end in time. Exact up to 2^53, enough for a length. */
function readLong(bytes: Buffer, at: number): number | null {
  let value = 0
  let scale = 1
  for (let i = at; i < bytes.length && i < at + 10; i++) {
    const byte = bytes[i]!
    value += (byte & 0x7f) * scale
    if (byte < 0x80) {
      position = i + 1
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2
    }
    scale *= 128
  }
  return null
}
