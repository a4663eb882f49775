import { canonicalAudience, PUBLIC } from '../observations/audience.ts'

/**
 * The audience of a relation between two known entities (ADR 100): the groups of `stated` that can read both already,
 * because a relation reveals its ends. `knownTo` has, for each end, the groups that may read it, as far as the submitter
 * is in them. Without `exact`, the groups that cannot are left out; null when no group remains, or with `exact` when one
 * stated group cannot.
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
