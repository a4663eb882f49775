import { type EventKind, FIELD_NAMES, type FieldName } from '../event.ts'
import { nameFault, valueFault } from '../event-text.ts'
import { answersOf } from './answers.ts'
import { type KindRule, type Mapping, PLACEHOLDERS, type UrlParts } from './mapping.ts'
import { type EventFields, fieldsOf } from './parts.ts'
import { compilePath, type Path } from './path.ts'
import { sensorTime } from './time.ts'

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
