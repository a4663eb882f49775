import { canonicalAudience, PUBLIC } from '../observations/audience.ts'

/**
 * The audience of a relation between two known entities (ADR 100): the groups of `stated` that can read both already,
 * for to be told of the relation is to be told of its ends. `knownTo` are, for each end, the groups that may read it,
 * as far as the submitter is in them. Without `exact`, the groups that can not are left out; null when a group that was
 * asked for can not, or none can.
 */
export function relationAudience(
  stated: readonly string[],
  knownTo: readonly ReadonlySet<string>[],
  exact: boolean,
): string[] | null {
  const reads = (group: string) => knownTo.every((groups) => groups.has(PUBLIC) || groups.has(group))
  const able = stated.filter(reads)
  if (able.length === 0 || (exact && able.length < stated.length)) return null
  return canonicalAudience(able)
}
