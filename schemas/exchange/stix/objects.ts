import { isStoredForm } from '../../intelligence/entities/earlier-forms.ts'
import { NAMED } from './forms/named.ts'
import { patternOf } from './forms/patterns.ts'
import { indicatorObject, sightingObject } from './indicator.ts'
import type { StixFacts, StixItem, StixObject, StixVersion } from './item.ts'
import { EXTENSION_OBJECTS } from './members/extension.ts'
import { markedFor, markingFor } from './members/marking.ts'
import { momentsOf } from './members/moments.ts'
import { objectLine } from './members/object-line.ts'
import { namedObject } from './named.ts'
import { type Observable, observableOf } from './observable.ts'
import { observedObject } from './observed.ts'
import { basedOn, related } from './relationship.ts'

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
