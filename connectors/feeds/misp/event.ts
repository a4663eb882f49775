import type { SubmittedAssociation } from '../../../schemas/observation.ts'
import { isObject, type Json, objectsOf, textOf } from '../document.ts'
import { association, entityOf, type Named } from '../entity.ts'
import { type FeedItem, type FeedOptions, rejected } from '../item.ts'
import type { Mapped } from './attribute.ts'
import { type Claim, type ObjectReading, readAttribute, readObject } from './object.ts'

/** Longest comment of an attribute, and longest title of an event, that is kept. */
const MAX_COMMENT = 1_024

/**
 * Entities of MISP event exports (`{response: [{Event}]}`, `[{Event}]` or `{Event}`).
 * `to_ids` makes a claim of the feed's reputation, without it an attribute is a sighting; tags of the event and of the
 * attribute become tags, its comment `text`, the event's title `threat`; deleted attributes are left out; references
 * between objects become associations.
 * @throws when the document is no event export.
 */
export function* mispEvents(document: unknown, options: FeedOptions): Generator<FeedItem> {
  let line = 0
  for (const event of eventsOf(document)) for (const item of readEvent(event, options)) yield { ...item, line: ++line }
}

function eventsOf(document: unknown): Json[] {
  const list = isObject(document) ? (document.response ?? [document]) : document
  const events = objectsOf(Array.isArray(list) ? list : [list]).map((entry) => entry.Event)
  if (events.length === 0 || !events.every(isObject)) {
    throw new Error('not a MISP event export: expected {"Event": {...}}, a list of them or {"response": [...]}')
  }
  return events
}

function* readEvent(event: Json, options: FeedOptions): Generator<FeedItem> {
  const say = speaker(event, options)
  const objects = objectsOf(event.Object).filter((object) => object.deleted !== true)
  const readings = objects.map((object) => readObject(object))
  const mains = mainsByUuid(objects, readings)
  for (const attribute of objectsOf(event.Attribute)) {
    if (attribute.deleted !== true) yield say.claim(readAttribute(attribute))
  }
  for (const [at, { main, alone }] of readings.entries()) {
    const referenced = objectsOf(objects[at]!.ObjectReference)
      .map((reference) => mains.get(textOf(reference.referenced_uuid)))
      .filter((target) => target !== undefined)
    if (main !== undefined) yield say.object(main, objects[at]!, referenced)
    for (const claim of alone) yield say.claim(claim)
  }
}

/** What a reference to an object, or to an attribute of one, points at. */
function mainsByUuid(objects: Json[], readings: ObjectReading[]): Map<string, Named> {
  const mains = new Map<string, Named>()
  for (const [at, { main }] of readings.entries()) {
    if (main === undefined) continue
    const uuids = [objects[at]!, ...objectsOf(objects[at]!.Attribute)].map((part) => textOf(part.uuid))
    for (const uuid of uuids) mains.set(uuid, main)
  }
  return mains
}

/** Says what an event claims, with what holds for all of it. */
function speaker(event: Json, options: FeedOptions) {
  const eventTags = tagsOf(event)
  const title = textOf(event.info).trim().slice(0, MAX_COMMENT)
  const said = (mapped: Mapped, malicious: boolean, source: Json, links: SubmittedAssociation[]): FeedItem => {
    const comment = textOf(source.comment).trim().slice(0, MAX_COMMENT)
    const attributes = {
      ...(title === '' ? {} : { threat: title }),
      ...(comment === '' ? {} : { text: comment }),
      ...mapped.attributes,
    }
    const objectTags = objectsOf(source.Attribute).flatMap(tagsOf)
    const tags = [...options.tags, ...tagsOf(source), ...objectTags, ...eventTags]
    const reputation = malicious ? options.reputation : null
    return { line: 0, entity: entityOf(mapped, { attributes, reputation, tags, associations: links }) }
  }
  return {
    claim({ attribute, mapped, malicious }: Claim): FeedItem {
      const raw = `${textOf(attribute.type)} ${textOf(attribute.value)}`
      if ('reason' in mapped) return rejected(0, mapped.reason, raw)
      return said(
        mapped,
        malicious,
        attribute,
        mapped.beside.map((named) => association(named)),
      )
    },
    object(main: Mapped & { malicious: boolean }, object: Json, referenced: Named[]): FeedItem {
      const isPart = (named: Named) => main.type === 'file' && DIGEST.test(named.type)
      const beside = main.beside.map((named) => association(named, isPart(named) ? 'aggregation' : 'association'))
      return said(main, main.malicious, object, [...beside, ...referenced.map((named) => association(named))])
    },
  }
}

const DIGEST = /^(md5|sha\d)/

const tagsOf = (tagged: Json): string[] => objectsOf(tagged.Tag).map((tag) => textOf(tag.name))
