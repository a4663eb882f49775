import { hash } from 'node:crypto'
import { contentId, type FieldName, type TelemetryEvent } from '../../../schemas/match/event.ts'
import { type Place, placeOf } from '../../../schemas/match/place.ts'
import { type LookUp, subjectOf } from '../../../schemas/match/subject.ts'
import { type LookedUp, lookedUp, marksOf } from './indicators.ts'
import { nameReader } from './names.ts'
import { remembered } from './remembered.ts'

/** A value in one field of an event, ready to be looked up and kept. */
export type ArrivedValue = { field: FieldName; value: string; looked: LookedUp; place: Place }

/** An event whose values are read. */
export type ArrivedEvent = {
  owner: string
  id: string
  /** What the owner and the id are known by: 32 hexadecimal digits. */
  digest: string
  event: TelemetryEvent
  /** When the log took it, in unix seconds. */
  second: number
  /** Each value of a field once. */
  values: readonly ArrivedValue[]
}

/** Values of one field that are remembered. */
const MAX_REMEMBERED = 50_000
/** Longer ones would take the place of many. */
const MAX_TEXT = 512

/** Reads the values of events, and remembers those that come often: the same value of a field is the same object then. */
export function valueReader() {
  const nameOf = nameReader()
  const lookupsOf = (name: string): readonly LookUp[] => nameOf(name).lookups
  const fieldsRead = new Map<string, (raw: string) => ArrivedValue | null>()

  function read(field: FieldName, raw: string): ArrivedValue | null {
    const subject = subjectOf(field, raw, lookupsOf)
    if (subject === null) return null
    const { kind, value, host, lookups } = subject
    if (host === null) return { field, value, looked: lookedUp(subject), place: placeOf(subject) }
    const { marks, place } = nameOf(host)
    const all = kind === 'name' ? marks : [...marksOf(lookups.slice(0, 1)), ...marks]
    return { field, value, looked: { subject, marks: all }, place }
  }

  function readerOf(field: FieldName): (raw: string) => ArrivedValue | null {
    const known = fieldsRead.get(field)
    if (known !== undefined) return known
    const values = remembered<ArrivedValue | null>(MAX_REMEMBERED)
    const fresh = (raw: string): ArrivedValue | null => read(field, raw)
    const reader = (raw: string) => (raw.length > MAX_TEXT ? fresh(raw) : values.get(raw, fresh))
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

export const arrived = (
  owner: string,
  event: TelemetryEvent,
  loggedAt: number,
  values: readonly ArrivedValue[],
): ArrivedEvent => {
  const id = event.id ?? contentId(event)
  const digest = hash('sha256', `${owner}\n${id}`, 'hex').slice(0, 32)
  return { owner, id, digest, event: named(event), second: Math.floor(loggedAt / 1000), values }
}

/** An empty name names nothing. */
const named = (event: TelemetryEvent): TelemetryEvent =>
  event.host === '' || event.user === '' || event.ref === ''
    ? { ...event, host: event.host || null, user: event.user || null, ref: event.ref || null }
    : event
