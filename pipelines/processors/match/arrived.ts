import { hash } from 'node:crypto'
import { contentId, type FieldName, type TelemetryEvent } from '../../../schemas/match/event.ts'
import { type Place, placeOf } from '../../../schemas/match/place.ts'
import { subjectOf } from '../../../schemas/match/subject.ts'
import { type LookedUp, lookedUp } from './indicators.ts'

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

/** Values that are remembered: telemetry repeats itself. Half of them are those that came last. */
const MAX_REMEMBERED = 100_000
/** Longer ones would take the place of many. */
const MAX_TEXT = 512

type Remembered = Map<FieldName, Map<string, ArrivedValue | null>>

function read(field: FieldName, raw: string): ArrivedValue | null {
  const subject = subjectOf(field, raw)
  if (subject === null) return null
  return { field, value: subject.value, looked: lookedUp(subject), place: placeOf(subject) }
}

/** Reads the values of events, and remembers those that come often: the same value of a field is the same object then. */
export function valueReader() {
  let recent: Remembered = new Map()
  let earlier: Remembered = new Map()
  let size = 0

  function remember(field: FieldName, raw: string, found: ArrivedValue | null): void {
    if (size >= MAX_REMEMBERED / 2) {
      earlier = recent
      recent = new Map()
      size = 0
    }
    let values = recent.get(field)
    if (values === undefined) {
      values = new Map()
      recent.set(field, values)
    }
    values.set(raw, found)
    size++
  }

  function readOnce(field: FieldName, raw: string): ArrivedValue | null {
    if (raw.length > MAX_TEXT) return read(field, raw)
    const known = recent.get(field)?.get(raw)
    if (known !== undefined) return known
    const before = earlier.get(field)?.get(raw)
    const found = before === undefined ? read(field, raw) : before
    remember(field, raw, found)
    return found
  }

  return (fields: TelemetryEvent['fields']): ArrivedValue[] => {
    const values: ArrivedValue[] = []
    for (const name of Object.keys(fields)) {
      const field = name as FieldName
      const listed = fields[field]!
      for (const raw of listed) {
        const found = readOnce(field, raw)
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
