import { instant } from '../../feeds-out/formats/text/instant.ts'
import { jsonText } from '../../feeds-out/formats/text/json.ts'
import { isStoredForm } from '../../intelligence/entities/earlier-forms.ts'
import { CVE_ID, MALWARE_TYPES, NAMED, type NamedForm } from './forms/named.ts'
import { claimId, standingId } from './ids.ts'
import { indicatorObject, patternOf, sightingObject } from './indicator.ts'
import type { StixFacts, StixItem, StixObject, StixRelation, StixVersion } from './item.ts'
import { EXTENSION_OBJECTS, extensionOf } from './members/extension.ts'
import { markedFor, markingFor } from './members/marking.ts'
import { type Moments, momentsOf } from './members/moments.ts'
import { objectLine } from './members/object-line.ts'
import { rightsOf, versionOf } from './members/versioned.ts'
import { type Observable, observableOf } from './observable.ts'
import { observedObject } from './observed.ts'

/** What STIX says of ends that are related in a way that nobody has told. */
const RELATED = 'related-to'

function relationship(
  facts: StixFacts,
  { entityId, firstSeen }: StixItem,
  version: StixVersion,
  { type, source, target, about }: { type: string; source: string; target: string; about: string },
): StixObject {
  const id = claimId(facts, entityId, version.life, 'relationship', ` ${about}`)
  const members =
    `${versionOf(firstSeen, version)},"relationship_type":"${type}"` +
    `,"source_ref":"${source}","target_ref":"${target}"${markedFor(facts.isPublic)}`
  return { id, type: 'relationship', json: objectLine('relationship', id, members) }
}

/** Says which observable an indicator is based on. */
const basedOn = (
  facts: StixFacts,
  item: StixItem,
  version: StixVersion,
  indicator: string,
  observable: string,
): StixObject =>
  relationship(facts, item, version, { type: 'based-on', source: indicator, target: observable, about: 'based-on' })

/**
 * A relation of an item; null: no document says the other end, or both are one observable, as a domain and a host name of
 * one value. `own`: id of the object that stands for the item.
 */
function related(
  facts: StixFacts,
  item: StixItem,
  version: StixVersion,
  own: string,
  { other, relationship: type, isIncoming = false, otherLife = 0 }: StixRelation,
): StixObject | null {
  const theirs = standingId(facts, other, otherLife)
  if (theirs === null || theirs === own) return null
  const [source, target] = isIncoming ? [theirs, own] : [own, theirs]
  const about = `${isIncoming ? 'from' : 'to'} ${type ?? ''} ${other.entityId}`
  return relationship(facts, item, version, { type: type ?? RELATED, source, target, about })
}

/** What STIX has to be told of some kinds, or has a better place for than the extension. */
const PARTICULARS: Readonly<Record<string, (item: StixItem) => string>> = {
  malware: ({ value, attributes = {} }) => {
    const type = attributes['malware-type'] ?? ''
    const types = MALWARE_TYPES.has(type) ? `,"malware_types":["${type}"]` : ''
    return `,"is_family":${attributes['malware-family'] === value}${types}`
  },
  cve: ({ value }) =>
    CVE_ID.test(value) ? `,"external_references":[{"source_name":"cve","external_id":"${value.toUpperCase()}"}]` : '',
}

/** The object of a thing that has a name: malware, an actor, a campaign, a vulnerability. */
function namedObject(
  facts: StixFacts,
  item: StixItem,
  version: StixVersion,
  { object, isSeen }: NamedForm,
  { first, last }: Moments,
): StixObject {
  const id = claimId(facts, item.entityId, version.life, object)
  const seen = isSeen ? `,"first_seen":"${instant(first)}","last_seen":"${instant(last)}"` : ''
  const members =
    `${versionOf(first, version)},"name":${jsonText(item.value)}${PARTICULARS[item.type]?.(item) ?? ''}${seen}` +
    `${rightsOf(facts, item)}${extensionOf(item, `,"reputation":${item.reputation}`)}`
  return { id, type: object, json: objectLine(object, id, members) }
}

/** What every document begins with: the marking that its objects name, and the extension that they carry. */
export const commonObjects = ({ isPublic }: StixFacts): readonly StixObject[] => [
  markingFor(isPublic),
  ...EXTENSION_OBJECTS,
]

/**
 * The objects of STIX 2.1 that say an item (decisions 15.2, 15.3), an observable before what is about it. An observable
 * where STIX has one, and beside it where the reputation is below 0 an indicator, the relationship between them and a
 * sighting, else what was observed of it. For the name of malware, of an actor or a vulnerability the object of that name;
 * for everything else an indicator whose type says what is thought of it, and its sighting. Then the relationships of the
 * item. None for a value that is not in the normal form of its type: readers would make another one of it.
 */
export function objectsOf(facts: StixFacts, item: StixItem, version: StixVersion): readonly StixObject[] {
  // Half of a character has no bytes in UTF-8.
  if (!item.value.isWellFormed()) return []
  const observable = observableOf(item)
  if (observable === null && !isStoredForm(item.type, item.value)) return []
  const said =
    observable === null ? withoutObservable(facts, item, version) : observed(facts, item, version, observable)
  if (item.relations === undefined) return said
  const own = said[0]!.id
  return [...said, ...item.relations.flatMap((relation) => related(facts, item, version, own, relation) ?? [])]
}

function observed(facts: StixFacts, item: StixItem, version: StixVersion, observable: Observable): StixObject[] {
  const { id, type, properties, pattern } = observable
  const object = { id, type, json: objectLine(type, id, `${properties}${markedFor(facts.isPublic)}`) }
  const moments = momentsOf(item)
  if (item.reputation >= 0) return [object, observedObject(facts, item, version, id, moments)]
  const indicator = indicatorObject(facts, item, version, pattern, moments)
  const base = basedOn(facts, item, version, indicator.id, id)
  return [object, indicator, base, sightingObject(facts, item, version, indicator, moments)]
}

function withoutObservable(facts: StixFacts, item: StixItem, version: StixVersion): StixObject[] {
  const moments = momentsOf(item)
  const form = NAMED[item.type]
  if (form !== undefined) return [namedObject(facts, item, version, form, moments)]
  const indicator = indicatorObject(facts, item, version, patternOf(item.type, item.value), moments)
  return [indicator, sightingObject(facts, item, version, indicator, moments)]
}
