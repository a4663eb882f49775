import { OURS, uuids } from '../../feeds-out/formats/exchange/uuid.ts'
import { isStoredForm } from '../../intelligence/entities/earlier-forms.ts'
import { NAMED } from './forms/named.ts'
import type { StixEntity, StixFacts } from './item.ts'
import { observableOf } from './observable.ts'

const ourId = uuids(OURS)

/**
 * Id of what a feed says of an entity, from feed, entity and life (decisions 15.2): an indicator, or a named thing.
 * `about`: what is said beside that, such as a sighting.
 */
export function claimId(facts: StixFacts, entityId: string, life: number, type: string, about = ''): string {
  const lived = life === 0 ? '' : ` life ${life}`
  return `${type}--${ourId(`${facts.id} ${entityId}${lived}${about}`)}`
}

/**
 * Id of the object that stands for an entity in relations: its observable, else the named thing or the indicator. null:
 * no document says the entity.
 */
export function standingId(facts: StixFacts, entity: StixEntity, life: number): string | null {
  // Half of a character has no bytes in UTF-8.
  if (!entity.value.isWellFormed()) return null
  const observable = observableOf(entity)
  if (observable !== null) return observable.id
  // Readers would make another value of it.
  if (!isStoredForm(entity.type, entity.value)) return null
  return claimId(facts, entity.entityId, life, NAMED[entity.type]?.object ?? 'indicator')
}

/** Id of a bundle: the same for all versions of the same list or view. */
export const bundleId = (name: string): string => `bundle--${ourId(name)}`

/** A UUID that ids follow from, for what has none of its own, such as the view of one entity. */
export const namespaceOf = (name: string): string => ourId(`namespace ${name}`)
