import { undeceiving } from '../../text/json.ts'
import { uuids } from '../uuid.ts'
import { readingOf } from './reading.ts'

/** The namespace that STIX 2.1 (2.9) gives to ids of observables. */
const observableId = uuids('00abedb4-aa42-466c-9c01-fed23315a9b7')

/** `properties`: its members that identify it, as they stand between the braces of an object. */
export type Observable = { id: string; type: string; properties: string; pattern: string }

/**
 * The observable of a value, with the id that every producer gives to it: a UUID of the properties that the standard
 * names, as canonical JSON (RFC 8785), which is what `JSON.stringify` writes of these flat objects. Null for types that
 * STIX has no observable for, and for values outside of its rules.
 */
export function observableOf(type: string, value: string): Observable | null {
  const reading = readingOf(type, value)
  if (reading === null) return null
  const { kind, properties, path } = reading
  const canonical = JSON.stringify(properties)
  return {
    id: `${kind}--${observableId(canonical)}`,
    type: kind,
    properties: undeceiving(canonical).slice(1, -1),
    pattern: `[${kind}:${path} = ${literal(reading.literal)}]`,
  }
}

/** A constant of the pattern language: the backslash and the quote are its only special characters. */
const literal = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value.replace(/[\\']/g, '\\$&')}'`

/** An object of a bundle as JSON on one line. `members`: what stands after its id. */
export const objectLine = (type: string, id: string, members: string): string =>
  `{"type":"${type}","spec_version":"2.1","id":"${id}",${members}}`
