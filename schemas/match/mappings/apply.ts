import { fqdn } from '../../intelligence/entities/datatypes/fqdn.ts'
import { parseIpv4 } from '../../intelligence/entities/datatypes/ipv4.ts'
import { parseIpv6 } from '../../intelligence/entities/datatypes/ipv6.ts'
import { datetime } from '../../intelligence/entities/datatypes/time.ts'
import { type EventKind, FIELD_NAMES, type FieldName, MAX_EVENT_VALUES } from '../event.ts'
import { nameFault, valueFault } from '../event-text.ts'
import { type KindRule, type Mapping, PLACEHOLDERS, type UrlParts } from './mapping.ts'
import { compilePath, type Path } from './path.ts'

const NUMBER = /^\d{1,19}(?:\.\d{1,9})?$/
/** An offset without its colon, as Suricata writes it. */
const OFFSET = /([+-]\d{2})(\d{2})$/

/**
 * Unix milliseconds of a time as sensors write it: RFC 3339, also with an offset such as +0000, or a number of seconds,
 * milliseconds, microseconds or nanoseconds since 1970, which their size tells apart until the year 5138. Null for
 * anything else.
 */
export function sensorTime(text: string): number | null {
  if (NUMBER.test(text)) {
    const count = Number(text)
    if (count < 1e11) return Math.floor(count * 1_000)
    if (count < 1e14) return Math.floor(count)
    return Math.floor(count / (count < 1e17 ? 1e3 : 1e6))
  }
  const time = datetime(text.replace(OFFSET, '$1:$2'))
  return typeof time === 'string' ? Date.parse(time) : null
}

/** Values by field as an event of JSON has them. */
type EventFields = Partial<Record<FieldName, string | readonly string[]>>

/**
 * The values of a record as the fields of one event or more: an event has one value of a field, and 32 in all. The first
 * has the first of every field; the others have only what is left, so that no value is counted twice.
 */
function fieldsOf(values: ReadonlyMap<FieldName, readonly string[]>): EventFields[] {
  const parts: EventFields[] = []
  const answers = values.get('answers') ?? []
  let told = 0
  for (let at = 0; ; at++) {
    const fields: EventFields = {}
    let count = 0
    for (const [name, list] of values) {
      const value = list[at]
      if (name === 'answers' || value === undefined) continue
      fields[name] = value
      count++
    }
    if (told < answers.length) {
      fields.answers = answers.slice(told, told + MAX_EVENT_VALUES - count)
      told += fields.answers.length
      count++
    }
    if (count === 0) return parts
    parts.push(fields)
  }
}

/** Several values of one text that are looked at. */
const MAX_PARTS = 100

/** The host of an MX or SRV record behind its numbers. */
const BEHIND_NUMBERS = /^(?:\d{1,5}\s+){1,3}(\S+)$/

/**
 * The addresses and names of one answer. Most sensors write one; some write all answers into one text, or the priority and
 * the port of a record before its name. Any other text stays as it is: the words of a TXT record are no answers (ADR 256).
 */
function answersOf(text: string): string[] {
  if (!/[\s,;]/.test(text)) return [text]
  const host = BEHIND_NUMBERS.exec(text.trim())?.[1]
  if (host !== undefined) return [host]
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  return parts.length > 0 && parts.length <= MAX_PARTS && parts.every(isHost) ? parts : [text]
}

/** An address, or a name of more than one label. */
const isHost = (part: string): boolean =>
  parseIpv4(part) >= 0 ||
  parseIpv6(part) !== null ||
  (/[^.]\.[^.]/.test(part) && typeof fqdn(part.replace(/\.$/, '')) === 'string')

/** An event as it is posted; JSON leaves out what is not there. */
export type MappedEvent = {
  at: number
  kind: EventKind | undefined
  host: string | undefined
  user: string | undefined
  ref: string | undefined
  fields: EventFields
}

/**
 * The events of a record, none when nothing in it can be matched; or why it cannot be read. `left`: values that no event
 * may have, such as a URL of more than 2 KiB; the others are sent without them.
 */
export type Mapped = { events: readonly MappedEvent[]; left: number } | { reason: string }

type Reader = (record: unknown) => Mapped

/** The interpreter of a mapping. Never throws. */
export function compileMapping(mapping: Mapping): Reader {
  const fields = FIELD_NAMES.flatMap((name): [FieldName, Path][] => {
    const paths = mapping.fields[name]
    return paths === undefined ? [] : [[name, all(paths)]]
  })
  const [host, user, ref] = [mapping.host, mapping.user, mapping.ref].map(first) as [One, One, One]
  const timeOf = timeReader(mapping.at)
  const kind = kindReader(mapping.kind)
  const url = mapping.url === null ? null : urlReader(mapping.url)
  return (record) => {
    const values = new Map<FieldName, string[]>()
    let left = 0
    for (const [name, read] of fields) {
      const written = name === 'answers' ? read(record).flatMap(answersOf) : read(record)
      const found = new Set(written.filter((value) => isValue(name, value)))
      if (name === 'url' && found.size === 0) for (const made of url?.(record) ?? []) found.add(made)
      const usable = [...found].filter((value) => valueFault(value) === null)
      left += found.size - usable.length
      if (usable.length > 0) values.set(name, usable)
    }
    if (values.size === 0) return { events: [], left }
    const time = timeOf(record)
    if (time === null) return { reason: `no time at ${mapping.at.join(' or ')}` }
    const around = {
      kind: kind(record),
      host: usableOr(host(record), nameFault),
      user: usableOr(user(record), nameFault),
      ref: usableOr(ref(record), valueFault),
    }
    return { events: fieldsOf(values).map((part) => ({ at: time, ...around, fields: part })), left }
  }
}

type One = (record: unknown) => string | undefined

const all = (paths: readonly string[]): Path => {
  const compiled = paths.map(compilePath)
  return (record) => compiled.flatMap((path) => path(record))
}

/** The first time that can be read. */
function timeReader(paths: readonly string[]): (record: unknown) => number | null {
  const read = all(paths)
  return (record) => {
    for (const written of read(record)) {
      const time = sensorTime(written)
      if (time !== null) return time
    }
    return null
  }
}

function first(paths: readonly string[]): One {
  const compiled = paths.map(compilePath)
  return (record) => {
    for (const path of compiled) {
      const found = path(record).find((value) => !PLACEHOLDERS.has(value))
      if (found !== undefined) return found
    }
  }
}

/** A URL that has no host, such as the one of a request line, is not looked up. */
const isValue = (name: FieldName, value: string): boolean =>
  !PLACEHOLDERS.has(value) && value.trim() !== '' && (name !== 'url' || value.includes('://'))

/** What is around the values is not worth losing them. */
const usableOr = (text: string | undefined, fault: (text: string) => string | null): string | undefined =>
  text === undefined || fault(text) !== null ? undefined : text

function kindReader(rules: readonly KindRule[]): (record: unknown) => EventKind | undefined {
  const compiled = rules.map((rule) => ({ rule, read: compilePath(rule.path) }))
  return (record) => {
    for (const { rule, read } of compiled)
      for (const found of read(record)) {
        if ('any' in rule) return rule.any
        if (Object.hasOwn(rule.kinds, found)) return rule.kinds[found]
      }
  }
}

/** A URL of its parts; of a request through a proxy the path is the URL already. */
function urlReader(parts: UrlParts): Path {
  const [scheme, host, port, path, query] = [parts.scheme, parts.host, parts.port, parts.path, parts.query].map(first)
  return (record) => {
    const written = path!(record)
    const name = host!(record)
    if (written?.includes('://') && !written.startsWith('/')) return [written]
    // CONNECT and OPTIONS have an address or a star in place of a path.
    if (name === undefined || written === undefined || !written.startsWith('/')) return []
    const authority = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name
    const number = port!(record)
    const asked = query!(record)
    const suffix = `${number === undefined ? '' : `:${number}`}${written}${asked === undefined ? '' : `?${asked}`}`
    return [`${scheme!(record) ?? 'http'}://${authority}${suffix}`]
  }
}
