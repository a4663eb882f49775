import { EXTENSION_ID } from '../../../../schemas/exchange/stix/members/extension-id.ts'
import { isObject, type Json, textOf, textsOf } from '../document.ts'
import { isUsable } from '../entity.ts'
import type { Reading } from './reading.ts'

/** What our extension says of an object; undefined where it is not there, or names no entity of the catalogue. */
function statedIn({ extensions }: Json): Json | undefined {
  const stated = isObject(extensions) ? extensions[EXTENSION_ID] : undefined
  if (!isObject(stated)) return undefined
  return isUsable({ type: textOf(stated.entity_type), value: textOf(stated.value) }) ? stated : undefined
}

/**
 * The entity that an object names in our extension (decisions-2 15.3): a claim where the reputation is below 0. Attributes
 * that are none of the catalogue are left out. Undefined for an object without it.
 */
export function readStated(object: Json): Reading | undefined {
  const stated = statedIn(object)
  if (stated === undefined) return undefined
  const given = isObject(stated.attributes) ? Object.entries(stated.attributes) : []
  const attributes = given.map(([name, value]): [string, string] => [name, textOf(value)])
  const [type, value] = [textOf(stated.entity_type), textOf(stated.value)]
  const usable = attributes.filter(([name, text]) => name !== type && isUsable({ type: name, value: text }))
  const malicious = typeof stated.reputation === 'number' && stated.reputation < 0 && CLAIMS.has(textOf(object.type))
  return { entities: [{ type, value, attributes: Object.fromEntries(usable), malicious }] }
}

/** Kinds of objects that are claims. An observable is one of nobody. */
const CLAIMS = new Set(['indicator', 'malware', 'threat-actor', 'intrusion-set', 'campaign', 'vulnerability'])

/** The tags of an object: its labels, and what kind of indicator it is where only that tells. */
export function tagsOf(object: Json): string[] {
  const stated = statedIn(object)
  const labels = textsOf(object.labels)
  return [...labels, ...textsOf(stated === undefined ? object.indicator_types : stated.labels)]
}

/** How sure the producer is, which an observable has no property for. */
export const confidenceIn = (object: Json): unknown => object.confidence ?? statedIn(object)?.confidence
