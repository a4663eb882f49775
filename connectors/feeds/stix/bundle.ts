import type { SubmittedAssociation } from '../../../schemas/observation.ts'
import { isObject, type Json, objectsOf, textOf, textsOf } from '../document.ts'
import { association, entityOf, type Named } from '../entity.ts'
import { type FeedItem, type FeedOptions, rejected } from '../item.ts'
import { type Reading, readObject, type StixEntity } from './objects.ts'

/**
 * Entities of a STIX 2.1 bundle, or of the `{objects: [...]}` envelope of a TAXII server.
 * Indicators (unless of type `benign`), malware, threat actors, intrusion sets and campaigns are claims of the feed's
 * reputation, observables are sightings. `labels` and `indicator_types` become tags. Relationships, and references of
 * observables, become associations where both ends are entities. Revoked objects are left out; `confidence`,
 * `valid_until` and object markings are not read: trust, decay and audience are the feed's.
 * @throws when the document is no bundle.
 */
export function* stixBundle(document: unknown, options: FeedOptions): Generator<FeedItem> {
  if (!isObject(document) || !Array.isArray(document.objects)) {
    throw new Error('not a STIX bundle: expected {"type": "bundle", "objects": [...]}')
  }
  const objects = objectsOf(document.objects).filter((object) => object.revoked !== true)
  const relationships = objects.filter((object) => object.type === 'relationship')
  const others = objects.filter((object) => object.type !== 'relationship')
  const readings = others.map((object) => readObject(object))
  const ends = new Map<string, Named>()
  for (const [at, reading] of readings.entries()) {
    const main = reading !== null && 'entities' in reading ? reading.entities[0] : undefined
    if (main !== undefined) ends.set(textOf(others[at]!.id), main)
  }
  const links = linksOf(others, relationships, ends)
  let line = 0
  for (const [at, reading] of readings.entries()) {
    const object = others[at]!
    for (const item of say(object, reading, links.get(textOf(object.id)) ?? [], options)) {
      yield { ...item, line: ++line }
    }
  }
  for (const relationship of relationships) {
    const lost = ['source_ref', 'target_ref'].map((end) => textOf(relationship[end])).find((id) => !ends.has(id))
    if (lost !== undefined)
      yield rejected(++line, `a relationship with ${lost}, which is no entity`, describe(relationship))
  }
}

function* say(object: Json, reading: Reading, links: Named[], options: FeedOptions): Generator<FeedItem> {
  if (reading === null) return
  if ('reason' in reading) {
    yield rejected(0, reading.reason, describe(object))
    return
  }
  const tags = [...options.tags, ...textsOf(object.labels), ...textsOf(object.indicator_types)]
  for (const entity of reading.entities) {
    const reputation = entity.malicious ? options.reputation : null
    const associations = [...partsOf(entity), ...links.map((named) => association(named))]
    yield { line: 0, entity: entityOf(entity, { attributes: entity.attributes, reputation, tags, associations }) }
  }
}

const partsOf = ({ parts = [] }: StixEntity): SubmittedAssociation[] =>
  parts.map((part) => association(part, part.type === 'filename' ? 'association' : 'aggregation'))

/** Targets by source id, of relationships and of references between observables (`resolves_to_refs` and the like). */
function linksOf(objects: Json[], relationships: Json[], ends: Map<string, Named>): Map<string, Named[]> {
  const links = new Map<string, Named[]>()
  const add = (source: string, target: string) => {
    const end = ends.get(target)
    if (end === undefined || !ends.has(source)) return
    const known = links.get(source)
    if (known === undefined) links.set(source, [end])
    else known.push(end)
  }
  for (const relationship of relationships) {
    add(textOf(relationship.source_ref), textOf(relationship.target_ref))
  }
  for (const object of objects) {
    const fields = Object.entries(object).filter(([name]) => REFERENCES.has(name))
    const targets = fields.flatMap(([, value]) => (Array.isArray(value) ? textsOf(value) : [textOf(value)]))
    for (const target of targets) add(textOf(object.id), target)
  }
  return links
}

const REFERENCES = new Set(['resolves_to_refs', 'belongs_to_refs', 'contains_refs', 'belongs_to_ref', 'sample_refs'])

const describe = (object: Json): string =>
  [textOf(object.id), textOf(object.name), textOf(object.pattern)].filter((text) => text !== '').join(' ')
