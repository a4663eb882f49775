import { EXTENSION_OBJECTS } from '../../../schemas/exchange/stix/members/extension.ts'
import { EXTENSION_ID } from '../../../schemas/exchange/stix/members/extension-id.ts'
import { isObject, type Json, textOf, textsOf } from './document.ts'
import { isUsable } from './entity.ts'
import type { Reading } from './stix/reading.ts'

/** What our extension says of an object; undefined where it is not there, or names no entity of the catalogue. */
function statedIn({ extensions }: Json): Json | undefined {
  const stated = isObject(extensions) ? extensions[EXTENSION_ID] : undefined
  if (!isObject(stated)) return undefined
  return isUsable({ type: textOf(stated.entity_type), value: textOf(stated.value) }) ? stated : undefined
}

/**
 * The entity that an object names in our extension (decisions 15.3): a claim where the reputation is below 0. Attributes
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

/** Kinds of objects that are claims; what was observed is none. */
const CLAIMS = new Set(['indicator', 'malware', 'threat-actor', 'intrusion-set', 'campaign', 'vulnerability'])

/**
 * Observables that an object with our extension is about, by their ids: what they stand for is said there, and may be
 * something else than what they look like.
 */
export function statedAbout(objects: readonly Json[]): Map<string, Json> {
  const stating = new Map(objects.filter((one) => statedIn(one) !== undefined).map((one) => [textOf(one.id), one]))
  const about = new Map<string, Json>()
  for (const object of objects) {
    const source = object.relationship_type === 'based-on' ? stating.get(textOf(object.source_ref)) : undefined
    if (source !== undefined) about.set(textOf(object.target_ref), source)
    if (stating.has(textOf(object.id))) for (const id of textsOf(object.object_refs)) about.set(id, object)
  }
  return about
}

/** The tags of an object: its labels, and of an indicator without our extension its types. */
export const tagsOf = (object: Json): string[] => [
  ...textsOf(object.labels),
  ...(statedIn(object) === undefined ? textsOf(object.indicator_types) : []),
]

/** Whether an object names its entity in our extension. */
export const isStated = (object: Json): boolean => statedIn(object) !== undefined

/** Whether an object defines our extension, which is known here. */
export const isOfExtension = ({ id }: Json): boolean => EXTENSION_OBJECTS.some((known) => known.id === id)
