import { uuids } from '../../feeds-out/formats/exchange/uuid.ts'
import { undeceiving } from '../../feeds-out/formats/text/json.ts'
import { OBSERVABLES } from './forms/observables.ts'
import { comparison } from './forms/pattern.ts'
import type { StixEntity } from './item.ts'

/** The namespace that STIX 2.1 (2.9) gives to ids of observables. */
const observableId = uuids('00abedb4-aa42-466c-9c01-fed23315a9b7')

/** `properties`: its members without its id and type, as they stand between the braces of an object. */
export type Observable = { id: string; type: string; properties: string; pattern: string }

const NONE = {}

/**
 * The observable of an entity, with the id that every producer gives to it: a UUID of the properties that the standard
 * names, as canonical JSON (RFC 8785), which is what `JSON.stringify` writes of these flat objects. Null for types that
 * STIX has no observable for, and for values outside of its rules.
 */
export function observableOf({ type, value, attributes = NONE }: StixEntity): Observable | null {
  const reading = OBSERVABLES[type]?.(value, attributes) ?? null
  if (reading === null) return null
  const { kind, identifying, others, path, literal } = reading
  const canonical = JSON.stringify(identifying)
  const properties = others === undefined ? canonical : JSON.stringify(Object.assign({}, identifying, others))
  return {
    id: `${kind}--${observableId(canonical)}`,
    type: kind,
    properties: undeceiving(properties).slice(1, -1),
    pattern: comparison(`${kind}:${path}`, literal),
  }
}
