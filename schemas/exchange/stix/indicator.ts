import { instant } from '../../feeds-out/formats/text/instant.ts'
import { jsonText } from '../../feeds-out/formats/text/json.ts'
import { claimId } from './ids.ts'
import type { StixFacts, StixItem, StixObject, StixVersion } from './item.ts'
import { extensionOf } from './members/extension.ts'
import { markedFor } from './members/marking.ts'
import type { Moments } from './members/moments.ts'
import { objectLine } from './members/object-line.ts'
import { rightsOf, versionOf } from './members/versioned.ts'
import { MOST_COUNTED } from './observed.ts'

/** By the vocabulary `indicator-type-ov`. What has no observable is an indicator whatever is thought of it. */
const kindOf = (reputation: number): string =>
  reputation < 0 ? 'malicious-activity' : reputation > 0 ? 'benign' : 'unknown'

/**
 * The claim about an entity. The extension names it always: of a pattern alone, a reader may take a name for another type,
 * and kinds of indicators for tags.
 */
export function indicatorObject(
  facts: StixFacts,
  item: StixItem,
  version: StixVersion,
  pattern: string,
  { first }: Moments,
): StixObject {
  const id = claimId(facts, item.entityId, version.life, 'indicator')
  // STIX refuses an end that is not after the beginning.
  const until =
    version.validUntil === null ? '' : `,"valid_until":"${instant(Math.max(first + 1, version.validUntil))}"`
  const members =
    `${versionOf(first, version)},"name":${jsonText(item.value)}` +
    `,"description":"reputation ${item.reputation}, accuracy ${item.accuracy}"` +
    `,"indicator_types":["${kindOf(item.reputation)}"],"pattern":${jsonText(pattern)},"pattern_type":"stix"` +
    `,"valid_from":"${instant(first)}"${until}${rightsOf(facts, item)}` +
    extensionOf(item, `,"reputation":${item.reputation}`)
  return { id, type: 'indicator', json: objectLine('indicator', id, members) }
}

/** The one sighting of an indicator: when it was seen first and last, and how often where that is known. */
export function sightingObject(
  facts: StixFacts,
  item: StixItem,
  version: StixVersion,
  indicator: StixObject,
  { first, last }: Moments,
): StixObject {
  const id = claimId(facts, item.entityId, version.life, 'sighting', ' sighting')
  const count = item.count === undefined ? '' : `,"count":${Math.min(item.count, MOST_COUNTED)}`
  const members =
    `${versionOf(first, version)},"first_seen":"${instant(first)}","last_seen":"${instant(last)}"${count}` +
    `,"sighting_of_ref":"${indicator.id}"${markedFor(facts.isPublic)}`
  return { id, type: 'sighting', json: objectLine('sighting', id, members) }
}
