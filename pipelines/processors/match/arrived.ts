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

/** Values that are remembered: telemetry repeats itself. */
const MAX_REMEMBERED = 100_000
/** Longer ones would take the place of many. */
const MAX_TEXT = 512

type Read = Pick<ArrivedValue, 'value' | 'looked' | 'place'>

/** Reads the values of events, and remembers those that come often. */
export function valueReader() {
  const known = new Map<string, Read | null>()

  function read(field: FieldName, raw: string): Read | null {
    const subject = subjectOf(field, raw)
    return subject === null ? null : { value: subject.value, looked: lookedUp(subject), place: placeOf(subject) }
  }

  function readOnce(field: FieldName, raw: string): Read | null {
    if (raw.length > MAX_TEXT) return read(field, raw)
    const key = `${field} ${raw}`
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered
    const found = read(field, raw)
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(key, found)
    return found
  }

  return (fields: TelemetryEvent['fields']): ArrivedValue[] => {
    const values: ArrivedValue[] = []
    for (const [name, listed] of Object.entries(fields)) {
      const field = name as FieldName
      for (const raw of listed) {
        const found = readOnce(field, raw)
        if (found === null) continue
        if (listed.length > 1 && values.some((one) => one.field === field && one.value === found.value)) continue
        values.push({ field, ...found })
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
