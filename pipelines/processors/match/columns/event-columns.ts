import { EVENT_AHEAD_MS, FIELD_NAMES, MAX_EVENT_VALUES } from '../../../../schemas/match/event.ts'
import { type EventPlaces, eventWalk, hashOf } from '../../../../schemas/match/event-bytes.ts'
import { MAX_RETENTION_DAYS } from '../../../../schemas/match/settings.ts'
import { nameReader } from '../event-names.ts'
import { type ByteNumbers, byteNumbers } from './byte-numbers.ts'
import { roomFor } from './room.ts'
import { type ValueTable, valueTable } from './value-table.ts'

const RETENTION_MS = MAX_RETENTION_DAYS * 86_400_000
/** Of values that are remembered: half a million. What comes often is taken over from the table before. */
const MAX_VALUE_BYTES = 96 * 1024 * 1024

/** Where texts of the events stand in their records; from 0 to 0: null. */
export type Spans = { from: Uint32Array; to: Uint32Array }

/**
 * The events of a batch by columns, in the order of the log: thousands of them wait for an earlier batch, and none is an
 * object. Columns may be longer than there are events.
 */
export type EventColumns = {
  size: number
  /** Their records, in the schema of today. */
  records: Buffer[]
  /** Place of each among the messages of the batch. */
  message: Uint32Array
  /** Where each comes from, by the number of its feed and owner in `sources`. */
  source: Uint32Array
  sources: ByteNumbers
  at: Float64Array
  loggedAt: Float64Array
  id: Spans
  host: Spans
  ref: Spans
  /** Fields among `FIELD_NAMES` and numbers of the values of all events; those of event n end at `valueEnds[n]`. */
  fields: Uint8Array
  numbers: Uint32Array
  valueEnds: Uint32Array
  values: ValueTable
}

export const firstValue = ({ valueEnds }: Pick<EventColumns, 'valueEnds'>, event: number): number =>
  event === 0 ? 0 : valueEnds[event - 1]!

const spans = (size: number): Spans => ({ from: new Uint32Array(size), to: new Uint32Array(size) })

function emptyColumns(most: number, values: ValueTable): EventColumns {
  const numbers = (): Uint32Array => new Uint32Array(most)
  return {
    size: 0,
    records: [],
    message: numbers(),
    source: numbers(),
    sources: byteNumbers(),
    at: new Float64Array(most),
    loggedAt: new Float64Array(most),
    id: spans(most),
    host: spans(most),
    ref: spans(most),
    fields: new Uint8Array(most * 4),
    numbers: new Uint32Array(most * 4),
    valueEnds: numbers(),
    values,
  }
}

/** Reads the events of batches into columns. Values keep their numbers as long as their batch is held. */
export function columnReader(maxValueBytes = MAX_VALUE_BYTES) {
  const walk = eventWalk()
  const nameOf = nameReader()
  let recent = valueTable(nameOf)
  let earlier: ValueTable | null = null

  /** The number of a value; -1 for one that the event has to be read closely for. */
  function numberOf(record: Buffer, { fields, starts, ends, hashes, plain }: EventPlaces, n: number, checked: boolean) {
    const [from, to, hash] = [starts[n]!, ends[n]!, hashes[n]!]
    const known = recent.find(record, from, to, hash)
    if (known >= 0) return known
    const before = earlier === null ? -1 : earlier.find(record, from, to, hash)
    if (before >= 0) return recent.take(earlier!.followed(before), record, from, to, hash)
    return plain[n] === 1 || checked ? recent.add(FIELD_NAMES[fields[n]!]!, record, from, to, hash) : -1
  }

  /** @returns how many values there are now; -1 where the event has to be read closely */
  function readValues(to: EventColumns, record: Buffer, checked: boolean): number {
    const { found } = walk
    const first = to.size === 0 ? 0 : to.valueEnds[to.size - 1]!
    to.fields = roomFor(to.fields, first + MAX_EVENT_VALUES)
    to.numbers = roomFor(to.numbers, first + MAX_EVENT_VALUES)
    let end = first
    for (let n = 0; n < found.count; n++) {
      const number = numberOf(record, found, n, checked)
      if (number < 0) return -1
      if (!recent.isKept(number)) continue
      const field = found.fields[n]!
      if (isAmong(to, first, end, field, number)) continue
      to.fields[end] = field
      to.numbers[end++] = number
    }
    return end
  }

  /** Whether the event has the value already: all of one field stand together. */
  function isAmong(
    { fields, numbers }: EventColumns,
    first: number,
    end: number,
    field: number,
    number: number,
  ): boolean {
    for (let at = end - 1; at >= first && fields[at] === field; at--)
      if (recent.isSame(numbers[at]!, number)) return true
    return false
  }

  function sourceOf({ sources }: EventColumns, record: Buffer): number {
    const { from, to } = walk.found.source
    const hash = hashOf(record, from, to, 0)
    const known = sources.find(record, from, to, hash)
    return known < 0 ? sources.add(record, from, to, hash) : known
  }

  function put(spans: Spans, event: number, { from, to }: { from: number; to: number }): void {
    spans.from[event] = from
    spans.to[event] = to
  }

  return {
    /** @param most events */
    begin(most: number): EventColumns {
      if (recent.bytes() > maxValueBytes / 2) {
        earlier = recent
        recent = valueTable(nameOf)
      }
      return emptyColumns(most, recent)
    },
    /**
     * Appends an event, unless it has to be read closely first.
     * @param message its place among those of the batch
     * @param checked the record is that of an event that was read closely
     */
    add(to: EventColumns, message: number, record: Buffer, loggedAt: number, checked: boolean): boolean {
      const { found } = walk
      if (!walk.read(record, checked)) return false
      if (!checked && (found.at > loggedAt + EVENT_AHEAD_MS || found.at < loggedAt - RETENTION_MS)) return false
      const end = readValues(to, record, checked)
      if (end < 0) return false
      const event = to.size++
      to.records.push(record)
      to.valueEnds[event] = end
      to.message[event] = message
      to.source[event] = sourceOf(to, record)
      to.at[event] = found.at
      to.loggedAt[event] = loggedAt
      put(to.id, event, found.id)
      put(to.host, event, found.host)
      put(to.ref, event, found.ref)
      return true
    },
  }
}
