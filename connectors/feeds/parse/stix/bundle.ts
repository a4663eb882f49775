import { type Json, textOf } from '../document.ts'
import { association, isUsable } from '../entity.ts'
import { type FeedItem, type FeedOptions, rejected } from '../item.ts'
import { type Circumstances, type LinkEnd, linkedItems, type MarkedLink } from '../linked.ts'
import { circumstancesOf } from './circumstances.ts'
import { stixObjects } from './document.ts'
import { statedAbout, tagsOf } from './extension.ts'
import { isRelationship, linksOf, missingEnds } from './links.ts'
import { markingReader } from './markings.ts'
import { readObject } from './objects.ts'
import type { Reading, StixEntity } from './reading.ts'
import { readSighting } from './sighting.ts'

/**
 * Entities of a STIX bundle, of a list of objects or of one bare object.
 * Indicators (unless of type `benign`), malware, threat actors, intrusion sets and campaigns are claims of the feed's
 * reputation; observables, tools, attack patterns and sightings are sightings. `labels` and `indicator_types` become
 * tags; relationships, references of observables and aliases become associations where both ends are entities. Markings,
 * `confidence` and the time of validity stand beside the entity. Revoked objects are left out.
 * @throws when the document is none of these.
 */
export function* stixBundle(document: unknown, options: FeedOptions): Generator<FeedItem> {
  const objects = stixObjects(document).filter((object) => object.revoked !== true)
  const markingOf = markingReader(objects)
  const byId = new Map(objects.map((object) => [textOf(object.id), object]))
  const things = objects.filter((object) => !isRelationship(object) && object.type !== 'sighting')
  const about = statedAbout(objects)
  const readings = things.map((object) =>
    about.has(textOf(object.id)) ? null : readObject(object, (id) => byId.get(id)),
  )
  const ends = new Map<string, LinkEnd>()
  for (const [at, reading] of readings.entries()) {
    const main = reading !== null && 'entities' in reading ? reading.entities[0] : undefined
    if (main !== undefined && isUsable(main))
      ends.set(textOf(things[at]!.id), { named: main, marking: markingOf(things[at]!) })
  }
  for (const [id, stating] of about) {
    const end = ends.get(textOf(stating.id))
    if (end !== undefined) ends.set(id, end)
  }
  const links = linksOf(objects, ends, markingOf)
  // What an observable is related to, the object that says what it is says.
  for (const [id, { id: stating }] of about)
    links.set(textOf(stating), [...(links.get(textOf(stating)) ?? []), ...(links.get(id) ?? [])])
  let line = 0
  for (const [at, reading] of readings.entries()) {
    const object = things[at]!
    const circumstances = circumstancesOf(object, markingOf(object))
    for (const item of say(object, reading, links.get(textOf(object.id)) ?? [], circumstances, options))
      yield { ...item, line: ++line }
  }
  for (const object of objects) {
    if (object.type === 'sighting')
      for (const item of readSighting(object, ends, byId, markingOf, options)) yield { ...item, line: ++line }
    const lost = isRelationship(object) ? missingEnds(object, ends)[0] : undefined
    if (lost !== undefined)
      yield rejected(++line, `a relationship with ${lost}, which is not an entity`, describe(object))
  }
}

function* say(
  object: Json,
  reading: Reading,
  links: readonly MarkedLink[],
  circumstances: Circumstances,
  options: FeedOptions,
): Generator<FeedItem> {
  if (reading === null) return
  if ('reason' in reading) {
    yield rejected(0, reading.reason, describe(object))
    return
  }
  const tags = [...options.tags, ...tagsOf(object)]
  for (const entity of reading.entities) {
    const reputation = entity.malicious ? options.reputation : null
    const statement = { attributes: entity.attributes, reputation, tags }
    yield* linkedItems(entity, statement, [...partsOf(entity, circumstances), ...links], circumstances)
  }
}

/** What belongs to an entity is as restricted as it is. */
const partsOf = ({ parts = [] }: StixEntity, { marking }: Circumstances): MarkedLink[] =>
  parts.map((part) => ({ to: association(part, DIGEST.test(part.type) ? 'aggregation' : 'association'), marking }))

const DIGEST = /^(md5|sha\d)/

const describe = (object: Json): string =>
  [textOf(object.id), textOf(object.name), textOf(object.pattern)].filter((text) => text !== '').join(' ')
