import { type Named, entityOf as namedBy } from '../../../schemas/intelligence/entities/named.ts'
import { describe } from '../../../schemas/intelligence/ingest/attributes.ts'
import type {
  LinkMode,
  SubmittedAssociation,
  SubmittedEntity,
} from '../../../schemas/intelligence/observations/observation.ts'
import { asRelationship } from '../../../schemas/intelligence/observations/relationship.ts'

export type { Named }

/** Most links and most tags that an entity of a feed is stated with at once; the first ones are kept. */
export const MAX_LINKS = 100
const MAX_TAGS = 32

/** Longest tag in bytes; longer ones are left out. */
const MAX_TAG_BYTES = 256

/** Whether the value is one of its type: a relation to any other would have the whole submission refused. */
export const isUsable = ({ type, value }: Named): boolean => describe(type, { [type]: value }, '').ok

export const association = ({ type, value }: Named, mode: LinkMode = 'association'): SubmittedAssociation => ({
  mode,
  type,
  attributes: { [type]: value },
})

/** The same with what a feed calls the relation, as far as that is a relationship type. */
export function related(named: Named, calledBy: string): SubmittedAssociation {
  const relationship = asRelationship(calledBy)
  return relationship === null ? association(named) : { ...association(named), relationship }
}

/** An entity as a submission states it, its tags and links distinct and bounded. */
export function entityOf(
  { type, value }: Named,
  statement: {
    attributes?: Record<string, string>
    reputation: number | null
    tags?: readonly string[]
    associations?: readonly SubmittedAssociation[]
  },
): SubmittedEntity {
  const entity: SubmittedEntity = {
    type,
    attributes: { ...statement.attributes, [type]: value },
    reputation: statement.reputation,
  }
  const tags = boundedTags(statement.tags ?? [])
  if (tags.length > 0) entity.tags = tags
  const others = (statement.associations ?? []).filter((link) => link.type !== type || link.attributes[type] !== value)
  const links = new Map(others.map((link) => [nameOf(link), link]))
  if (links.size > 0) entity.associations = [...links.values()].slice(0, MAX_LINKS)
  return entity
}

/** A link is another one with another relationship type. */
const nameOf = ({ type, attributes, relationship }: SubmittedAssociation): string =>
  `${relationship ?? ''} ${type} ${attributes[type]}`

function boundedTags(tags: readonly string[]): string[] {
  const distinct = new Set<string>()
  for (const tag of tags) {
    const text = tag.trim()
    if (text !== '' && Buffer.byteLength(text) <= MAX_TAG_BYTES && distinct.size < MAX_TAGS) distinct.add(text)
  }
  return [...distinct]
}

/** An address, or a block where the value has a prefix length; a block of one address is that address. */
export const addressOrBlock = (text: string): Named =>
  text.includes('/') ? namedBy('cidr', text) : { type: 'ip', value: text }
