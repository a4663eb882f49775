import { claimId, standingId } from './ids.ts'
import type { StixFacts, StixItem, StixObject, StixRelation, StixVersion } from './item.ts'
import { markedFor } from './members/marking.ts'
import { objectLine } from './members/object-line.ts'
import { versionOf } from './members/versioned.ts'

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
export const basedOn = (
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
export function related(
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
