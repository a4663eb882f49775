import { json } from '../../text/json.ts'
import { uuid5 } from '../uuid.ts'
import { readingOf } from './reading.ts'

/** The namespace that STIX 2.1 (2.9) gives to ids of observables. */
const OBSERVABLES = '00abedb4-aa42-466c-9c01-fed23315a9b7'

export type Observable = { id: string; type: string; properties: Readonly<Record<string, unknown>>; pattern: string }

/**
 * The observable of a value, with the id that every producer gives to it: a UUID of the properties that the standard
 * names, as canonical JSON (RFC 8785), which is what `JSON.stringify` writes of these flat objects. Null for types that
 * STIX has no observable for, and for values outside of its rules.
 */
export function observableOf(type: string, value: string): Observable | null {
  const reading = readingOf(type, value)
  if (reading === null) return null
  const { kind, properties, path } = reading
  const id = `${kind}--${uuid5(OBSERVABLES, JSON.stringify(properties))}`
  return { id, type: kind, properties, pattern: `[${kind}:${path} = ${literal(reading.literal)}]` }
}

/** A constant of the pattern language: the backslash and the quote are its only special characters. */
const literal = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value.replace(/[\\']/g, '\\$&')}'`

/** An object of a bundle as JSON on one line. */
export const objectLine = (type: string, id: string, rest: object): string =>
  json(Object.assign({ type, spec_version: '2.1', id }, rest))
