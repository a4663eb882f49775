import { isObject, type Json, membersOf, objectsOf, textOf } from '../document.ts'
import { association, isUsable } from '../entity.ts'
import { type FeedItem, type FeedOptions, rejected } from '../item.ts'
import { type Circumstances, type LinkEnd, linkedItems, type MarkedLink } from '../linked.ts'
import { isOfExtension, isStated, statedAbout, tagsOf } from '../stix-extension.ts'
import { usableParts } from '../usable-parts.ts'
import { circumstancesOf } from './circumstances.ts'
import { isRelationship, linksOf, missingEnds } from './links.ts'
import { type Lost, lossCounter } from './lost.ts'
import { markingReader } from './markings.ts'
import type { Reading, StixEntity } from './reading.ts'
import { readSighting } from './sighting.ts'
import { isStatement, readObject } from './stix-objects.ts'
import { newestOf, versionOf } from './versions.ts'

const isStix = (value: unknown): value is Json => isObject(value) && textOf(value.type) !== ''

/**
 * The objects of a STIX bundle, of the `{objects: [...]}` envelope of a TAXII server, of a plain list, or the one bare
 * object that the document is. Observables that STIX 2.0 nests in `observed-data` stand among them, under ids of their
 * own. `strangers` are members that are no objects.
 * @throws when the document is none of these
 */
function stixMembers(document: unknown): { objects: Json[]; strangers: unknown[] } {
  const list = isObject(document) && document.objects !== undefined ? document.objects : document
  const bundle = isObject(document) && Array.isArray(document.objects)
  if (bundle) {
    const strangers = membersOf(list).filter((member) => !isObject(member))
    return { objects: objectsOf(list).flatMap(unnest), strangers }
  }
  // What has one object of STIX is a list of them, whatever else it has.
  if (Array.isArray(list) && list.some(isStix))
    return { objects: list.filter(isStix).flatMap(unnest), strangers: list.filter((one) => !isStix(one)) }
  if (isStix(list) && list.type !== 'bundle') return { objects: unnest(list), strangers: [] }
  throw new Error('not a STIX bundle: expected {"type": "bundle", "objects": [...]}, a list of objects or one object')
}

/** An object, and what it carries inside as STIX 2.0 did: observables under the keys "0", "1", which name each other. */
function unnest(object: Json): Json[] {
  if (object.type !== 'observed-data' || !isObject(object.objects)) return [object]
  const { objects, ...rest } = object
  const idOf = (key: string): string => `${textOf(object.id)}#${key}`
  const inside = Object.entries(objects).filter(([, value]) => isObject(value)) as [string, Json][]
  const observables = inside.map(([key, observable]) => {
    const fields = Object.entries(observable).map(([name, value]): [string, unknown] => {
      if (/_ref$/.test(name)) return [name, idOf(textOf(value))]
      return /_refs$/.test(name) && Array.isArray(value) ? [name, value.map((one) => idOf(textOf(one)))] : [name, value]
    })
    // What the container is marked with holds for what it carries.
    const { object_marking_refs, granular_markings } = object
    return { object_marking_refs, granular_markings, ...Object.fromEntries(fields), id: idOf(key) }
  })
  return [{ ...rest, object_refs: inside.map(([key]) => idOf(key)) }, ...observables]
}

/** What a STIX document says, and what of it is not kept. */
export type StixReading = {
  /** In the order of the document; each is made when it is asked for. May be read once. */
  items: Generator<FeedItem>
  /** By type and property, whatever the items are used for. */
  lost: Lost[]
  /** Newest versions of objects, without those of `earlier`. */
  objects: number
}

/**
 * Entities of a STIX bundle, of a list of objects or of one bare object.
 * Indicators (unless of type `benign`), malware, threat actors, intrusion sets and campaigns are claims of the feed's
 * reputation; observables, tools, attack patterns and sightings are sightings. `labels` and `indicator_types` become
 * tags; relationships, references of observables and aliases become associations where both ends are entities. Markings,
 * `confidence` and the time of validity stand beside the entity. Revoked objects are items that withdraw (decisions 15.3).
 * @param earlier objects of earlier documents that these may refer to; nothing else is made of them
 * @throws when the document is none of these.
 */
export function readStix(document: unknown, options: FeedOptions, earlier: readonly Json[] = []): StixReading {
  const { objects: given, strangers } = stixMembers(document)
  const all = newestOf([...earlier, ...given])
  const own = new Set(given)
  const objects = all.filter((object) => !isRevoked(object))
  const markingOf = markingReader(objects)
  const byId = new Map(objects.map((object) => [textOf(object.id), object]))
  const things = objects.filter((object) => !isRelationship(object) && object.type !== 'sighting')
  const about = statedAbout(objects)
  const read = things.filter(({ id }) => !about.has(textOf(id)))
  const readings = new Map(read.map((object) => [object, readObject(object, (id) => byId.get(id))]))
  const ends = new Map<string, LinkEnd>()
  for (const [object, reading] of readings) {
    const main = reading !== null && 'entities' in reading ? reading.entities[0] : undefined
    if (main !== undefined && isUsable(main)) ends.set(textOf(object.id), { named: main, marking: markingOf(object) })
  }
  for (const [id, { id: stating }] of about) {
    const end = ends.get(textOf(stating))
    if (end !== undefined) ends.set(id, end)
  }
  const mine = all.filter((object) => own.has(object))
  return { items: numbered(), lost: lostOf(mine, readings, ends), objects: mine.length }

  function* numbered(): Generator<FeedItem> {
    let line = 0
    for (const item of items()) for (const part of usableParts(item)) yield { ...part, line: ++line }
  }

  function* items(): Generator<FeedItem> {
    for (const stranger of strangers) yield rejected(0, 'not a STIX object', JSON.stringify(stranger) ?? '')
    const links = linksOf(
      mine.filter((object) => !isRevoked(object)),
      ends,
      markingOf,
    )
    for (const object of mine) {
      const id = textOf(object.id)
      if (isRevoked(object)) {
        if (id !== '' && isVersioned(object)) yield { line: 0, withdrawn: { id, version: versionOf(object) } }
        continue
      }
      const reading = readings.get(object)
      if (reading === undefined) continue
      yield* say(object, reading, links.get(id) ?? [], circumstancesOf(object, markingOf(object)), options)
      links.delete(id)
    }
    // What relationships say of entities that an earlier document stated, or another object of this one.
    for (const [id, stated] of links) {
      const { named, marking } = ends.get(id)!
      const circumstances = marking === undefined ? {} : { marking }
      for (const item of linkedItems(named, { reputation: null, tags: [] }, stated, circumstances))
        if (item.entity.associations !== undefined) yield item
    }
    for (const object of mine) {
      if (isRevoked(object)) continue
      if (object.type === 'sighting') yield* readSighting(object, ends, byId, markingOf, options)
      const lost = isRelationship(object) ? missingEnds(object, ends)[0] : undefined
      if (lost !== undefined) yield rejected(0, `a relationship with ${lost}, which is not an entity`, describe(object))
    }
  }
}

/** The items of a document alone. @throws as `readStix` */
export const stixBundle = (document: unknown, options: FeedOptions): Generator<FeedItem> =>
  readStix(document, options).items

function lostOf(
  objects: readonly Json[],
  readings: ReadonlyMap<Json, Reading>,
  ends: ReadonlyMap<string, LinkEnd>,
): Lost[] {
  const losses = lossCounter()
  const isEntity = (id: string): boolean => ends.has(id)
  const isRead = (object: Json): boolean => {
    if (object.type === 'marking-definition') return true
    if (object.type === 'sighting')
      return textOf(object.count).trim() !== '0' && isEntity(textOf(object.sighting_of_ref))
    if (isRelationship(object)) return missingEnds(object, ends).length === 0
    // An observable that another object says the meaning of.
    if (!readings.has(object)) return isEntity(textOf(object.id))
    const reading = readings.get(object) ?? null
    return reading !== null && 'entities' in reading && reading.entities.some(isUsable)
  }
  for (const object of objects) {
    if (isOfExtension(object)) continue
    const fate = isRevoked(object) ? 'withdrawn' : isRead(object) ? 'read' : 'unread'
    losses.count(object, fate, isEntity)
  }
  return losses.all()
}

/** Text in place of a boolean is a no less clear word, and what is taken back must not be claimed. */
const isRevoked = ({ revoked }: Json): boolean => revoked === true || /^(?:true|1)$/i.test(textOf(revoked).trim())

/** Whether an object says something of an entity in versions, which may be revoked. */
const isVersioned = (object: Json): boolean => isStatement(textOf(object.type)) || isStated(object)

function* say(
  object: Json,
  reading: Reading,
  links: readonly MarkedLink[],
  circumstances: Circumstances,
  options: FeedOptions,
): Generator<FeedItem> {
  if (reading === null) return
  const id = textOf(object.id)
  const isNamed = id !== '' && isVersioned(object)
  const named = isNamed ? { object: { id, version: versionOf(object) } } : {}
  if ('reason' in reading) {
    yield { ...rejected(0, reading.reason, describe(object)), ...named }
    return
  }
  const tags = [...options.tags, ...tagsOf(object)]
  const all = { ...circumstances, ...named }
  for (const entity of reading.entities) {
    const reputation = entity.malicious ? options.reputation : null
    const statement = { attributes: entity.attributes, reputation, tags }
    const held = { ...all, ...heldDuring(entity, circumstances) }
    yield* linkedItems(entity, statement, [...partsOf(entity, circumstances), ...links], held)
  }
  const part = { type: 'indicator', property: 'pattern' }
  for (const reason of reading.unread ?? [])
    yield { ...rejected(0, `${reason}: the rest of the pattern is imported`, describe(object)), ...named, part }
}

/** The time of an object, narrowed by that of its pattern. */
function heldDuring({ during }: StixEntity, { validFrom, validUntil }: Circumstances): Circumstances {
  if (during === undefined) return {}
  const { from, until } = during
  return { validFrom: Math.max(from, validFrom ?? from), validUntil: Math.min(until, validUntil ?? until) }
}

/** What belongs to an entity is as restricted as it is. */
const partsOf = ({ parts = [] }: StixEntity, { marking }: Circumstances): MarkedLink[] =>
  parts.map((part) => ({ to: association(part, DIGEST.test(part.type) ? 'aggregation' : 'association'), marking }))

const DIGEST = /^(md5|sha\d)/

const describe = (object: Json): string =>
  [textOf(object.id), textOf(object.name), textOf(object.pattern)].filter((text) => text !== '').join(' ')
