import { instant } from '../../feeds-out/formats/text/instant.ts'
import { claimId } from './ids.ts'
import type { StixFacts, StixItem, StixObject, StixVersion } from './item.ts'
import { extensionOf } from './members/extension.ts'
import type { Moments } from './members/moments.ts'
import { objectLine } from './members/object-line.ts'
import { rightsOf, versionOf } from './members/versioned.ts'

/** Largest count that STIX 2.1 knows. */
export const MOST_COUNTED = 999_999_999

/**
 * What is known of an entity that is not bad, beside its observable: that is the same for every producer, has no versions,
 * and an extension would give a file another id (STIX 2.1, 6.7). STIX demands a number: 1 where nobody counted.
 */
export function observedObject(
  facts: StixFacts,
  item: StixItem,
  version: StixVersion,
  observable: string,
  { first, last }: Moments,
): StixObject {
  const id = claimId(facts, item.entityId, version.life, 'observed-data')
  const number = Math.min(Math.max(item.count ?? 1, 1), MOST_COUNTED)
  const members =
    `${versionOf(first, version)},"first_observed":"${instant(first)}","last_observed":"${instant(last)}"` +
    `,"number_observed":${number},"object_refs":["${observable}"]${rightsOf(facts, item)}` +
    extensionOf(item, `,"reputation":${item.reputation}`)
  return { id, type: 'observed-data', json: objectLine('observed-data', id, members) }
}
