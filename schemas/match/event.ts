/** Events of telemetry: what a sensor saw, and how one is read (decisions 14.1). */

import { datetime } from '../intelligence/entities/datatypes/time.ts'
import { namedUuid } from '../log/ids.ts'
import { nameFault, shownName, valueFault } from './event-text.ts'

/** All but `answers` have one value. */
export const FIELD_NAMES = [
  ...(['query', 'answers', 'src', 'dst', 'url', 'sni', 'hostname'] as const),
  ...(['md5', 'sha1', 'sha256', 'ja3', 'email'] as const),
] as const
export type FieldName = (typeof FIELD_NAMES)[number]

export const EVENT_KINDS = ['dns', 'http', 'tls', 'flow', 'file', 'auth'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

export type TelemetryEvent = {
  /** null: it follows from the content (`contentId`). */
  id: string | null
  /** Unix milliseconds. */
  at: number
  kind: EventKind | null
  /** The machine that it happened on, and the account that it happened to. */
  host: string | null
  user: string | null
  /** As they were sent; at least one value. */
  fields: Readonly<Partial<Record<FieldName, readonly string[]>>>
  /** Where the sensor has the event. */
  ref: string | null
}

/** What `telemetry-event.avsc` decodes to. */
export type TelemetryRecord = Omit<TelemetryEvent, 'kind' | 'fields'> & {
  /** Name of the registered producer on telemetry.events; the owner on telemetry.accepted. */
  feed: string
  owner: string
  kind: string | null
  fields: Readonly<Record<string, readonly string[]>>
}

export type EventRefused = { ok: false; param: string; message: string }
export type EventRead = { ok: true; event: TelemetryEvent } | EventRefused

export const MAX_EVENT_VALUES = 32
/** How far the clock of a sensor may run ahead. */
export const EVENT_AHEAD_MS = 5 * 60_000
const DAY_MS = 86_400_000

const MEMBERS: ReadonlySet<string> = new Set(['id', 'at', 'kind', 'host', 'user', 'fields', 'ref'])
const FIELDS: ReadonlySet<string> = new Set(FIELD_NAMES)
const KINDS: ReadonlySet<string> = new Set(EVENT_KINDS)

const refused = (param: string, message: string): EventRefused => ({ ok: false, param, message })

const isObject = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/**
 * One parsed value of JSON as an event, or which member of it is wrong, and why. Optional members may be null. Never
 * throws.
 * @param now when it arrives, unix milliseconds
 */
export function readEvent(given: unknown, now: number, retentionDays: number): EventRead {
  if (!isObject(given)) return refused('event', 'must be an object')
  for (const name of Object.keys(given))
    if (!MEMBERS.has(name)) return refused(shownName(name), 'is not a member of an event')
  const { id = null, at: time, kind = null, host = null, user = null, fields, ref = null } = given
  for (const [name, text] of Object.entries({ id, kind, host, user, ref }))
    if (text !== null && typeof text !== 'string') return refused(name, 'must be text')
  const at = typeof time === 'string' ? Date.parse(readTime(time)) : time
  if (typeof at !== 'number' || !Number.isSafeInteger(at))
    return refused('at', 'must be unix milliseconds or an RFC 3339 time, such as 2024-05-01T12:30:00Z')
  const listed = listedFields(fields)
  if (!listed.ok) return listed
  return checked({ id, at, kind, host, user, fields: listed.fields, ref } as Unchecked, now, retentionDays)
}

/**
 * A record of telemetry.events or telemetry.accepted as an event, which shares its fields, or what is wrong. Never throws.
 * @param loggedAt the time of the record in the log, unix milliseconds
 */
export function readEventRecord(record: TelemetryRecord, loggedAt: number, retentionDays: number): EventRead {
  const { id, at, kind, host, user, fields, ref } = record
  return checked({ id, at, kind, host, user, fields, ref }, loggedAt, retentionDays)
}

/** Whether the ledger keeps nothing of the event any more. */
export const isExpired = ({ at }: Pick<TelemetryEvent, 'at'>, now: number, retentionDays: number): boolean =>
  at < now - retentionDays * DAY_MS

/** A UUID that follows from all that an event without id says, so that the same one posted twice is one. */
export function contentId({ at, kind, host, user, fields, ref }: TelemetryEvent): string {
  const values: unknown[] = []
  for (const name of FIELD_NAMES) {
    const listed = fields[name]
    if (listed !== undefined && listed.length > 0) values.push(name, listed)
  }
  return namedUuid(JSON.stringify(['telemetry', at, kind, host, user, ref, values]))
}

/** Of the right types; what the texts say is open. */
type Unchecked = Pick<TelemetryRecord, 'id' | 'at' | 'kind' | 'host' | 'user' | 'fields' | 'ref'>

/** The bounds of both readings. The event is the one that is given, so nothing is copied. */
function checked(event: Unchecked, now: number, retentionDays: number): EventRead {
  const { id, at, kind, host, user, fields, ref } = event
  if (at > now + EVENT_AHEAD_MS) return refused('at', 'must be at most 5 minutes from now')
  if (isExpired(event, now, retentionDays)) return refused('at', `must be within the last ${retentionDays} days`)
  if (id === '') return refused('id', 'must not be empty')
  if (kind !== null && !KINDS.has(kind)) return refused('kind', `must be one of ${EVENT_KINDS.join(', ')}`)
  const idFault = id === null ? null : nameFault(id)
  if (idFault !== null) return refused('id', idFault)
  const hostFault = host === null ? null : nameFault(host)
  if (hostFault !== null) return refused('host', hostFault)
  const userFault = user === null ? null : nameFault(user)
  if (userFault !== null) return refused('user', userFault)
  const refFault = ref === null ? null : valueFault(ref)
  if (refFault !== null) return refused('ref', refFault)
  return fieldsFault(fields) ?? { ok: true, event: event as TelemetryEvent }
}

function fieldsFault(fields: TelemetryRecord['fields']): EventRefused | null {
  let count = 0
  for (const name of Object.keys(fields)) {
    if (!FIELDS.has(name)) return refused(`fields.${shownName(name)}`, 'is not a field of an event')
    const values = fields[name]!
    const isList = name === 'answers'
    if (values.length > 1 && !isList) return refused(`fields.${name}`, 'must be one value')
    count += values.length
    if (count > MAX_EVENT_VALUES) return refused('fields', `must have at most ${MAX_EVENT_VALUES} values`)
    for (let at = 0; at < values.length; at++) {
      const value = values[at]!
      const fault = value.trim() === '' ? 'must not be blank' : valueFault(value)
      if (fault !== null) return refused(isList ? `fields.answers[${at}]` : `fields.${name}`, fault)
    }
  }
  return count === 0 ? refused('fields', 'must have at least one value') : null
}

/** Fields of JSON with their values as lists. */
function listedFields(given: unknown): { ok: true; fields: TelemetryRecord['fields'] } | EventRefused {
  if (!isObject(given)) return refused('fields', 'must be an object')
  const fields: Record<string, string[]> = {}
  for (const [name, value] of Object.entries(given)) {
    // Before it becomes the name of a property.
    if (!FIELDS.has(name)) return refused(`fields.${shownName(name)}`, 'is not a field of an event')
    if (name !== 'answers') {
      if (typeof value !== 'string') return refused(`fields.${name}`, 'must be text')
      fields[name] = [value]
    } else {
      if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
        return refused('fields.answers', 'must be a list of text')
      fields[name] = value
    }
  }
  return { ok: true, fields }
}

/** The time in the form of `Date`, or a text that is none. */
function readTime(text: string): string {
  const time = datetime(text)
  return typeof time === 'string' ? time : 'none'
}
