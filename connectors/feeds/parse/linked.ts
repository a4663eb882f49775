import type { SubmittedAssociation } from '../../../schemas/intelligence/observations/observation.ts'
import { entityOf, MAX_LINKS, type Named } from './entity.ts'
import type { AcceptedItem } from './item.ts'
import { isStricter, type Marking } from './marking.ts'

/** A relation of an entity, and the strictest of its own marking and those of both ends. */
export type MarkedLink = { to: SubmittedAssociation; marking: Marking | undefined }

/** The entity that stands for an object at the end of a relation. */
export type LinkEnd = { named: Named; marking: Marking | undefined }

/** What is stated about an entity, apart from its relations. */
export type Statement = {
  attributes?: Record<string, string>
  reputation: number | null
  tags: readonly string[]
}

/** What holds for an item besides its entity; its line is given when it is handed out. */
export type Circumstances = Omit<AcceptedItem, 'line' | 'entity' | 'wellKnown'>

/**
 * The items of one entity with its relations. Relations that are stricter than the entity are reported separately, as
 * sightings with the marking of each: not every reader of the entity may see them. So are those that one statement has no
 * room for.
 */
export function* linkedItems(
  named: Named,
  statement: Statement,
  links: readonly MarkedLink[],
  circumstances: Circumstances,
): Generator<AcceptedItem> {
  const stricter = Map.groupBy(
    links.filter(({ marking }) => isStricter(marking, circumstances.marking)),
    ({ marking }) => marking!,
  )
  const associations = links.filter(({ marking }) => !isStricter(marking, circumstances.marking)).map(({ to }) => to)
  yield { line: 0, entity: entityOf(named, { ...statement, associations }), ...circumstances }
  yield* sightings(named, associations.slice(MAX_LINKS), circumstances)
  for (const [marking, apart] of stricter)
    yield* sightings(
      named,
      apart.map(({ to }) => to),
      { ...circumstances, marking },
    )
}

/** Relations of an entity without anything else about it. */
function* sightings(
  named: Named,
  links: readonly SubmittedAssociation[],
  circumstances: Circumstances,
): Generator<AcceptedItem> {
  for (let from = 0; from < links.length; from += MAX_LINKS) {
    const entity = entityOf(named, { reputation: null, associations: links.slice(from, from + MAX_LINKS) })
    // A relation of an entity to itself is none.
    if (entity.associations !== undefined) yield { line: 0, entity, ...circumstances }
  }
}
