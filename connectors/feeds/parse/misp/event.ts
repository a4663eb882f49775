import { isObject, type Json, objectsOf, textOf } from '../document.ts'
import { association, isUsable, type Named, related } from '../entity.ts'
import { type FeedItem, type FeedOptions, rejected } from '../item.ts'
import { type LinkEnd, linkedItems, type MarkedLink } from '../linked.ts'
import { isStricter, type Marking, strictest } from '../marking.ts'
import { usableParts } from '../usable-parts.ts'
import { isDeleted } from './flags.ts'
import type { Mapped } from './mapped.ts'
import { galaxyTagsOf, ownMarking, tagsOf } from './markings.ts'
import { type Claim, type ObjectReading, readAttribute, readObject } from './object.ts'
import { ownStatement } from './own-statement.ts'

/** Longest comment of an attribute, and longest title of an event, that is kept. */
const MAX_COMMENT = 1_024

const DIGEST = /^(md5|sha\d)/

const allTagsOf = (holder: Json): string[] => [...tagsOf(holder), ...galaxyTagsOf(holder)]

/** Makes the claims of an event, with everything that applies to the whole event. */
function claimItems(event: Json, options: FeedOptions) {
  const eventTags = allTagsOf(event)
  const title = textOf(event.info).trim().slice(0, MAX_COMMENT)

  function itemsOf(
    mapped: Mapped,
    malicious: boolean,
    source: Json,
    links: readonly MarkedLink[],
    marking: Marking | undefined,
  ): Generator<FeedItem> {
    const own = ownStatement(textOf(source.comment), malicious)
    const comment = own === null ? textOf(source.comment).trim().slice(0, MAX_COMMENT) : ''
    const attributes = {
      ...(title === '' ? {} : { threat: title }),
      ...(comment === '' ? {} : { text: comment }),
      ...mapped.attributes,
    }
    const objectTags = objectsOf(source.Attribute).flatMap(allTagsOf)
    const tags = [...options.tags, ...allTagsOf(source), ...objectTags, ...eventTags]
    const reputation = malicious ? (own?.reputation ?? options.reputation) : null
    return linkedItems(mapped, { attributes, reputation, tags }, links, marking === undefined ? {} : { marking })
  }

  return {
    /** One attribute, with what its own value names beside it. */
    *claim(claim: Claim, links: readonly MarkedLink[], marking: Marking | undefined): Generator<FeedItem> {
      const { attribute, mapped, malicious } = claim
      if ('reason' in mapped) {
        yield rejected(0, mapped.reason, `${textOf(attribute.type)} ${textOf(attribute.value)}`)
        return
      }
      const beside = mapped.beside.map((named): MarkedLink => ({ to: association(named), marking }))
      yield* itemsOf(mapped, malicious, attribute, [...beside, ...links], marking)
      yield* this.lost(claim)
    },
    /** A half of an attribute that is left out. */
    *lost({ attribute, mapped }: Claim): Generator<FeedItem> {
      if ('reason' in mapped || mapped.lost === undefined) return
      const [type, raw] = [textOf(attribute.type), textOf(attribute.value)]
      const part = { type: mapped.type, property: type }
      yield { ...rejected(0, `${mapped.lost}: the ${mapped.type} is imported without it`, `${type} ${raw}`), part }
    },
    /** The entity that stands for an object, with its other attributes beside it. */
    object(
      main: Mapped & { malicious: boolean },
      object: Json,
      links: readonly MarkedLink[],
      marking: Marking | undefined,
    ): Generator<FeedItem> {
      const beside = main.beside.map((named): MarkedLink => {
        const isPart = main.type === 'file' && DIGEST.test(named.type)
        return { to: association(named, isPart ? 'aggregation' : 'association'), marking }
      })
      return itemsOf(main, main.malicious, object, [...beside, ...links], marking)
    },
  }
}

/**
 * Entities of MISP event exports (`{response: [{Event}]}`, `[{Event}]`, `{Event}` or the event itself).
 * `to_ids` makes a claim of the feed's reputation, without it an attribute is a sighting; tags of the event and of the
 * attribute become tags, its comment `text`, the event's title `threat`; deleted attributes are left out; references
 * between objects become associations. Of the distributions and TLP tags of event, object and attribute the strictest
 * counts. A member of the list that is no event is rejected alone.
 * @throws when the document is no event export.
 */
export function* mispEvents(document: unknown, options: FeedOptions): Generator<FeedItem> {
  let line = 0
  const list = listOf(document)
  for (const odd of list.length > 1 ? list.filter((entry) => eventIn(entry) === undefined) : [])
    yield rejected(++line, 'not a MISP event', JSON.stringify(odd) ?? '')
  for (const event of eventsOf(document))
    for (const item of readEvent(event, options)) for (const part of usableParts(item)) yield { ...part, line: ++line }
}

/** The events of a document, without their wrappers. @throws when it has none */
export function eventsOf(document: unknown): Json[] {
  const events = listOf(document)
    .map(eventIn)
    .filter((event) => event !== undefined)
  if (events.length === 0) {
    throw new Error('not a MISP event export: expected {"Event": {...}}, a list of them or {"response": [...]}')
  }
  return events
}

function listOf(document: unknown): unknown[] {
  const list = isObject(document) ? (document.response ?? [document]) : document
  return Array.isArray(list) ? list : [list]
}

function eventIn(entry: unknown): Json | undefined {
  if (!isObject(entry)) return undefined
  const event = entry.Event ?? bare(entry)
  return isObject(event) ? event : undefined
}

/** An event without its wrapper, as PyMISP writes it, which leaves out an empty list of attributes. */
const bare = (entry: Json): Json | undefined =>
  textOf(entry.info) !== '' &&
  (Array.isArray(entry.Attribute) || Array.isArray(entry.Object) || textOf(entry.uuid) !== '')
    ? entry
    : undefined

/** An object as far as everybody who may read it may read its attributes, and the stricter ones apart. */
type Part = { object: Json; marking: Marking | undefined; reading: ObjectReading; apart: Claim[] }

function* readEvent(event: Json, options: FeedOptions): Generator<FeedItem> {
  const items = claimItems(event, options)
  const whole = ownMarking(event)
  const markingOf = ({ attribute }: Claim, under = whole) => strictest(under, ownMarking(attribute))
  const claims = objectsOf(event.Attribute)
    .filter((attribute) => !isDeleted(attribute))
    .map((attribute) => readAttribute(attribute))
  const parts = objectsOf(event.Object)
    .filter((object) => !isDeleted(object))
    .map((object) => partOf(object, strictest(whole, ownMarking(object))))
  const ends = endsByUuid(parts, claims, markingOf)

  for (const claim of claims) yield* items.claim(claim, [], markingOf(claim))
  for (const { object, marking, reading, apart } of parts) {
    const { main } = reading
    const referenced = objectsOf(object.ObjectReference)
      .filter((reference) => !isDeleted(reference))
      .flatMap((reference): MarkedLink[] => {
        const end = ends.get(textOf(reference.referenced_uuid))
        if (end === undefined) return []
        const to = related(end.named, textOf(reference.relationship_type))
        return [{ to, marking: strictest(marking, end.marking) }]
      })
    if (main !== undefined) yield* items.object(main, object, referenced, marking)
    for (const claim of reading.together) yield* items.lost(claim)
    for (const claim of reading.alone) yield* items.claim(claim, [], markingOf(claim, marking))
    for (const claim of apart) {
      const own = markingOf(claim, marking)
      const links = main !== undefined && isUsable(main) ? [{ to: association(main), marking: own }] : []
      yield* items.claim(claim, links, own)
    }
  }
}

function partOf(object: Json, marking: Marking | undefined): Part {
  const attributes = objectsOf(object.Attribute).filter((attribute) => !isDeleted(attribute))
  const isApart = (attribute: Json): boolean => isStricter(ownMarking(attribute), marking)
  const shown = { ...object, Attribute: attributes.filter((attribute) => !isApart(attribute)) }
  const apart = attributes.filter(isApart).map((attribute) => readAttribute(attribute))
  return { object: shown, marking, reading: readObject(shown), apart }
}

/** What a reference points at: an object or an attribute of one, which the object stands for, or an attribute alone. */
function endsByUuid(
  parts: readonly Part[],
  claims: readonly Claim[],
  markingOf: (claim: Claim, under?: Marking) => Marking | undefined,
): Map<string, LinkEnd> {
  const ends = new Map<string, LinkEnd>()
  const add = (holder: Json, named: Named, marking: Marking | undefined) => {
    if (isUsable(named)) ends.set(textOf(holder.uuid), { named: { type: named.type, value: named.value }, marking })
  }
  for (const claim of claims) if (!('reason' in claim.mapped)) add(claim.attribute, claim.mapped, markingOf(claim))
  for (const { object, marking, reading, apart } of parts) {
    const { main } = reading
    if (main !== undefined) for (const part of [object, ...objectsOf(object.Attribute)]) add(part, main, marking)
    for (const claim of apart)
      if (!('reason' in claim.mapped)) add(claim.attribute, claim.mapped, markingOf(claim, marking))
  }
  ends.delete('')
  return ends
}
