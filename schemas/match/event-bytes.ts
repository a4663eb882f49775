import { EVENT_KINDS, FIELD_NAMES, MAX_EVENT_VALUES, type TelemetryRecord } from './event.ts'
import { MAX_NAME_CHARACTERS, MAX_VALUE_BYTES } from './event-text.ts'
import { readingOf } from './subject.ts'

/** Bytes before the record: a zero, and the id of its schema. */
const HEADER = 5

/** Feed and owner where both begin, by `EventPlaces.source`. */
export function sourceIn(bytes: Uint8Array, from: number): Pick<TelemetryRecord, 'feed' | 'owner'> {
  let position = from
  const text = (): string => {
    let twice = 0
    for (let scale = 1, byte = 0x80; byte >= 0x80; scale *= 128) {
      byte = bytes[position++]!
      twice += (byte & 0x7f) * scale
    }
    const begin = position
    position += twice / 2
    return Buffer.from(bytes.buffer, bytes.byteOffset + begin, twice / 2).toString()
  }
  return { feed: text(), owner: text() }
}

/**
 * Where an event stands in the bytes of its record: the same object for all of them, as there are a million a minute. A
 * text from 0 to 0 is null.
 */
export type EventPlaces = {
  at: number
  /** Feed and owner with their lengths. */
  readonly source: Span
  readonly id: Span
  readonly host: Span
  readonly ref: Span
  /**
   * Of each value: its field among `FIELD_NAMES`, where it stands, its hash with the reading of the field as seed, and 1
   * where any event may have such a text.
   */
  count: number
  readonly fields: Uint8Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly hashes: Int32Array
  readonly plain: Uint8Array
}

export type Span = { from: number; to: number }

const FIELDS = FIELD_NAMES.map((name, number) => ({ number, bytes: Buffer.from(name) }))
const LONGEST = Math.max(...FIELDS.map(({ bytes }) => bytes.length))
const FIELDS_BY_LENGTH = Array.from({ length: LONGEST + 1 }, (_, length) =>
  FIELDS.filter(({ bytes }) => bytes.length === length),
)
/** Of each field a number that those have in common that are read alike. */
const READINGS = FIELD_NAMES.map((name) => FIELD_NAMES.findIndex((one) => readingOf(one) === readingOf(name)))
const KINDS = EVENT_KINDS.map((name) => Buffer.from(name))
const ANSWERS = FIELD_NAMES.indexOf('answers')
/** Up to here a number of Avro is exact: more than any time that an event may have. */
const MAX_NUMBER_BYTES = 7
/** No length of a text in an event. */
const NONE = -1

/**
 * Spreads bytes over 32 bits. Every step can be undone, so the same bytes with another seed never have the same hash.
 */
export function hashOf(bytes: Uint8Array, from: number, to: number, seed: number): number {
  let hash = seeded(seed)
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return spread(hash)
}

const seeded = (seed: number): number => Math.imul(seed + 1, 0x9e3779b1)

function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
}

/**
 * Finds the parts of events in the bytes of their records, and makes nothing. It takes what nearly all records are: one
 * block for each list, every field once, plain ASCII within the bounds of an event. Whatever else there may be is decoded
 * and checked the long way, which also says what is wrong with it.
 */
export function eventWalk() {
  const span = (): Span => ({ from: 0, to: 0 })
  const list = () => new Uint32Array(MAX_EVENT_VALUES)
  const found: EventPlaces = {
    at: 0,
    source: span(),
    id: span(),
    host: span(),
    ref: span(),
    count: 0,
    fields: new Uint8Array(MAX_EVENT_VALUES),
    starts: list(),
    ends: list(),
    hashes: new Int32Array(MAX_EVENT_VALUES),
    plain: new Uint8Array(MAX_EVENT_VALUES),
  }
  const skipped = span()
  let bytes: Uint8Array = new Uint8Array()
  let position = 0

  /** A number of Avro; NaN where it is longer than any that an event needs. */
  function long(): number {
    let value = 0
    let scale = 1
    for (let n = 0; n < MAX_NUMBER_BYTES && position < bytes.length; n++) {
      const byte = bytes[position++]!
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2
      scale *= 128
    }
    return Number.NaN
  }

  /** Of a text that the bytes hold. */
  function lengthOf(): number {
    const byte = bytes[position]!
    const short = byte < 0x80 && (byte & 1) === 0
    const length = short ? byte >> 1 : long()
    if (short) position++
    return length >= 0 && length <= bytes.length - position ? length : NONE
  }

  /** @param most bytes; negative: whatever it is */
  function text(into: Span, most: number): boolean {
    const length = lengthOf()
    if (length === NONE) return false
    into.from = position
    position += length
    into.to = position
    if (most < 0) return true
    if (length > most) return false
    const text = bytes
    for (let at = into.from; at < into.to; at++) if (isOdd(text[at]!)) return false
    return true
  }

  /** null is from 0 to 0, and so is what is empty. */
  function optional(into: Span, most: number): boolean {
    const branch = bytes[position++]
    into.from = 0
    into.to = 0
    if (branch === 0) return true
    if (branch !== 2 || !text(into, most)) return false
    if (into.from === into.to) into.from = into.to = 0
    return true
  }

  function fieldName(): number {
    const length = lengthOf()
    const from = position
    for (const { number, bytes: name } of FIELDS_BY_LENGTH[length] ?? []) {
      let at = 0
      while (at < length && bytes[from + at] === name[at]) at++
      if (at < length) continue
      position = from + length
      return number
    }
    return NONE
  }

  function value(field: number): boolean {
    const length = lengthOf()
    if (length === NONE || length > MAX_VALUE_BYTES || found.count === MAX_EVENT_VALUES) return false
    const [from, n] = [position, found.count++]
    const to = from + length
    const text = bytes
    let hash = seeded(READINGS[field]!)
    let odd = 0
    let most = 0
    for (let at = from; at < to; at++) {
      const byte = text[at]!
      odd |= byte | (byte - 1)
      if (byte > most) most = byte
      hash = Math.imul(hash ^ byte, 0x01000193)
    }
    found.fields[n] = field
    found.starts[n] = from
    found.ends[n] = to
    found.hashes[n] = spread(hash)
    // Blank, NUL or not ASCII: to be looked at more closely.
    found.plain[n] = most > 0x20 && (odd & 0x80) === 0 ? 1 : 0
    position = to
    return true
  }

  /** A list of Avro in one block: how many; negative for what is written otherwise. */
  const countOf = (): number => (bytes[position]! < 0x80 ? long() : NONE)

  function values(): boolean {
    found.count = 0
    const names = countOf()
    let seen = 0
    for (let n = 0; n < names; n++) {
      const field = fieldName()
      if (field === NONE || (seen & (1 << field)) !== 0) return false
      seen |= 1 << field
      const count = countOf()
      if (!(count >= 0) || (count > 1 && field !== ANSWERS)) return false
      for (let k = 0; k < count; k++) if (!value(field)) return false
      if (count > 0 && bytes[position++] !== 0) return false
    }
    return names > 0 && found.count > 0 && bytes[position++] === 0
  }

  /** A kind that nobody knows is refused the long way. */
  function kind(): boolean {
    const branch = bytes[position++]
    if (branch === 0) return true
    if (branch !== 2 || !text(skipped, MAX_NAME_CHARACTERS)) return false
    const { from, to } = skipped
    for (const name of KINDS) {
      let at = 0
      while (at < name.length && bytes[from + at] === name[at]) at++
      if (at === name.length && at === to - from) return true
    }
    return false
  }

  return {
    found,
    /**
     * @param checked the bytes are those of an event that was checked, so that its texts need no look; it has an id
     * @returns false for a record that has to go the long way; `found` says nothing then
     */
    read(record: Uint8Array, checked: boolean): boolean {
      bytes = record
      position = HEADER
      const name = checked ? -1 : MAX_NAME_CHARACTERS
      found.source.from = position
      if (!text(skipped, name) || !text(skipped, name)) return false
      found.source.to = position
      if (!optional(found.id, name) || found.id.to === 0) return false
      found.at = long()
      if (Number.isNaN(found.at) || !(checked ? optional(skipped, name) : kind())) return false
      if (!optional(found.host, name) || !optional(skipped, name)) return false
      return values() && optional(found.ref, checked ? -1 : MAX_VALUE_BYTES) && position === bytes.length
    },
  }
}

/** NUL, or not ASCII. */
const isOdd = (byte: number): boolean => byte === 0 || byte > 0x7f
