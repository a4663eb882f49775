import { contentId, type FieldName, type TelemetryEvent } from '../../../schemas/match/event.ts'
import { type Place, placeOf } from '../../../schemas/match/place.ts'
import { lookupsOf, readValue } from '../../../schemas/match/subject.ts'
import { nameReader, readName } from './event-names.ts'
import { type LookedUp, marksOf } from './indicators.ts'
import { remembered } from './remembered.ts'

/**
 * A value in one field of an event, ready to be looked up and kept. Flat, as hundreds of thousands of them are remembered,
 * and every object is one more to follow when memory is freed.
 */
export type ArrivedValue = LookedUp & Place

/** What of an event is told and kept beside its values: its texts can go once they are read. */
export type SeenEvent = Pick<TelemetryEvent, 'at' | 'kind' | 'host' | 'user' | 'ref'> & { id: string }

/** An event whose values are read. */
export type ArrivedEvent = {
  owner: string
  event: SeenEvent
  /** When the log took it, in unix seconds. */
  second: number
  /** Each value of a field once. */
  values: readonly ArrivedValue[]
}

/** Characters of one field that are remembered: some 60,000 of its values. */
const MAX_REMEMBERED = 6_000_000

/**
 * A value of a field; null when it has no normal form, and for an address that is not public.
 * @param nameOf what follows from a name; a caller that remembers it gives its own
 */
export function arrivedValue(field: FieldName, raw: string, nameOf = readName): ArrivedValue | null {
  const found = readValue(field, raw)
  if (found === null) return null
  const { kind, value, host, address } = found
  if (host === null) {
    const lookups = lookupsOf(field, found)
    const { anchor, key } = placeOf({ value, host, address, lookups })
    return { field, kind, value, host, address, anchor, key, marks: marksOf(lookups) }
  }
  const { anchor, key, marks: ofName } = nameOf(host)
  const marks = kind === 'name' ? ofName : [...marksOf([found]), ...ofName]
  return { field, kind, value, host, address, anchor, key, marks }
}

/** Reads the values of events, and remembers those that come often: the same value of a field is the same object then. */
export function valueReader() {
  const nameOf = nameReader()
  const fieldsRead = new Map<string, (raw: string) => ArrivedValue | null>()

  function readerOf(field: FieldName): (raw: string) => ArrivedValue | null {
    const known = fieldsRead.get(field)
    if (known !== undefined) return known
    const values = remembered<ArrivedValue | null>(MAX_REMEMBERED)
    const fresh = (raw: string): ArrivedValue | null => arrivedValue(field, raw, nameOf)
    const reader = (raw: string) => values.get(raw, fresh)
    fieldsRead.set(field, reader)
    return reader
  }

  return (fields: TelemetryEvent['fields']): ArrivedValue[] => {
    const values: ArrivedValue[] = []
    for (const name of Object.keys(fields)) {
      const field = name as FieldName
      const listed = fields[field]!
      const readOnce = readerOf(field)
      for (const raw of listed) {
        const found = readOnce(raw)
        if (found === null) continue
        if (listed.length > 1 && values.some((one) => one.field === field && one.value === found.value)) continue
        values.push(found)
      }
    }
    return values
  }
}

/** An empty name names nothing. An event without an id has one that follows from all that it says. */
export const seenEvent = (event: TelemetryEvent): SeenEvent => ({
  id: event.id ?? contentId(event),
  at: event.at,
  kind: event.kind,
  host: event.host || null,
  user: event.user || null,
  ref: event.ref || null,
})

/** @param loggedAt the time of the record in the log, unix milliseconds */
export const arrived = (
  owner: string,
  event: SeenEvent,
  loggedAt: number,
  values: readonly ArrivedValue[],
): ArrivedEvent => ({
  owner,
  event,
  second: Math.floor(loggedAt / 1000),
  values,
})
