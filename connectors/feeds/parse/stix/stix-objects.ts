import { type Json, membersOf, objectsOf, textOf, textsOf } from '../document.ts'
import { isUsable, type Named } from '../entity.ts'
import { readStated } from '../stix-extension.ts'
import { readObservable } from './observables.ts'
import { alternativeEntities } from './pattern/comparison.ts'
import { readPattern } from './pattern/pattern.ts'
import type { Lookup, Reading, StixEntity } from './reading.ts'

/** Objects about the feed itself, about other objects, or that only hold others. */
const ADMINISTRATIVE = new Set([
  'marking-definition',
  'identity',
  'extension-definition',
  'language-content',
  'report',
  'grouping',
  'note',
  'opinion',
  'observed-data',
])

type Kind = {
  type: string
  /** Being stated is a claim that it is bad; what is used for other things too is only seen. */
  malicious: boolean
  category?: string
}

/** Named things and the catalogue's word for them. Tools have none: they are kept as `value`, as other nameless kinds are. */
const NAMED: ReadonlyMap<string, Kind> = new Map([
  ['malware', { type: 'malware', malicious: true }],
  ['threat-actor', { type: 'adversary', malicious: true }],
  ['intrusion-set', { type: 'group', malicious: true }],
  ['campaign', { type: 'threat', malicious: true }],
  ['attack-pattern', { type: 'threat', malicious: false, category: 'attack-pattern' }],
  ['tool', { type: 'value', malicious: false, category: 'tool' }],
  ['vulnerability', { type: 'cve', malicious: false }],
])

/** Names that a producer gives beside the first one, and how many of them are kept. */
const ALIASES = ['aliases', 'x_mitre_aliases']
const MAX_ALIASES = 50

/** Whether objects of the type state something of an entity, in versions that replace each other and may be revoked. */
export const isStatement = (type: string): boolean => type === 'indicator' || NAMED.has(type)

/** What a STIX object, other than a relationship or a sighting, stands for. */
export function readObject(object: Json, at: Lookup): Reading {
  const type = textOf(object.type)
  const stated = readStated(object)
  if (stated !== undefined) return stated
  if (ADMINISTRATIVE.has(type)) return null
  if (type === 'indicator') return readIndicator(object)
  const kind = NAMED.get(type)
  if (kind !== undefined) return readNamed(kind, object)
  return readObservable(object, at) ?? { reason: `the catalogue has no type for STIX "${type}"` }
}

function readIndicator(object: Json): Reading {
  const language = textOf(object.pattern_type).trim() || 'stix'
  if (!STIX_LANGUAGE.test(language)) return { reason: `a ${language} pattern is a detection rule, not an indicator` }
  const alternatives = readPattern(textOf(object.pattern))
  if ('reason' in alternatives) return alternatives
  const malicious = !isBenign(object)
  const entities: StixEntity[] = []
  const reasons = new Set<string>()
  for (const alternative of alternatives) {
    const found = alternativeEntities(alternative)
    if ('reason' in found) reasons.add(found.reason)
    else for (const entity of found) entities.push({ ...entity, malicious })
  }
  const [first] = reasons
  if (first === undefined) return { entities }
  return entities.length === 0 ? { reason: first } : { entities, unread: [...reasons] }
}

/** In any letter case, and with a version, as some writers have it. */
const STIX_LANGUAGE = /^stix(?:[\s_-]?2(?:\.\d)?)?$/i

/** Whether it says of something that it is harmless; STIX 2.0 has no other place for that than the labels. */
function isBenign({ indicator_types: types, labels }: Json): boolean {
  const words = membersOf(types ?? labels).map((word) => textOf(word).trim().toLowerCase())
  return words.includes('benign')
}

function readNamed({ type, malicious, category }: Kind, object: Json): Reading {
  const value = textOf(object.name).trim()
  if (value === '') return { reason: `${textOf(object.type)} without a name` }
  const attributes: Record<string, string> = category === undefined ? {} : { category }
  if (type === 'malware') {
    const kind = textsOf(object.malware_types)[0]
    if (kind !== undefined) attributes['malware-type'] = kind
    if (object.is_family === true) attributes['malware-family'] = value
  }
  const reference = objectsOf(object.external_references).find((one) => one.source_name === 'mitre-attack')
  const text = reference === undefined ? '' : textOf(reference.external_id)
  if (text !== '') attributes.text = text
  const parts = aliasesOf(type, value, object)
  return { entities: [{ type, value, attributes, malicious, ...(parts.length === 0 ? {} : { parts }) }] }
}

/** The same thing under its other names: an entity of its own each, beside the first. */
function aliasesOf(type: string, value: string, object: Json): Named[] {
  const names = new Set(ALIASES.flatMap((field) => textsOf(object[field])).map((name) => name.trim()))
  names.delete(value)
  const aliases = [...names].map((name) => ({ type, value: name })).filter(isUsable)
  return aliases.slice(0, MAX_ALIASES)
}
