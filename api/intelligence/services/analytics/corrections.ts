import type { Dim } from '../../../../schemas/intelligence/state/counters.ts'
import type { EntityView } from '../../../../schemas/intelligence/state/entity-view.ts'

/** Which entities a feed asks for: those last seen at or after `since` (unix milliseconds), the newest `limit`. */
export type NewestQuestion = { since: number; maliciousOnly: boolean; limit: number }

/**
 * Entities that stand in several audiences of one reader. Counters are kept per audience, so their sum counts such an
 * entity several times and with a score that this reader is not shown: the correction takes its rows out and its fold
 * in (design 5; ADR 2).
 */
export type Overlaps = {
  /** Whether `newest` is known to answer for this entity. */
  has(entityId: string): boolean
  /** Folds by last sighting; at least the first `limit` that the question asks for, in any order. */
  newest(q: NewestQuestion): Promise<EntityView[]>
  correction(dim: Dim, maliciousOnly: boolean): ReadonlyMap<string, number>
}

/** What must be added to the counters of a reader, by dimension and key. */
export type Corrections = {
  add(dim: Dim, malicious: boolean, key: string, n: number): void
  of(dim: Dim, maliciousOnly: boolean): ReadonlyMap<string, number>
}

/** Corrections that are added up, those of entities with a negative reputation apart. */
export function corrections(): Corrections {
  const sums = { true: new Map<Dim, Map<string, number>>(), false: new Map<Dim, Map<string, number>>() }
  return {
    add(dim, malicious, key, n) {
      const byDim = sums[malicious ? 'true' : 'false']
      const map = byDim.get(dim) ?? new Map<string, number>()
      byDim.set(dim, map.set(key, (map.get(key) ?? 0) + n))
    },
    of(dim, maliciousOnly) {
      const sum = new Map(sums.true.get(dim))
      if (!maliciousOnly) for (const [key, n] of sums.false.get(dim) ?? []) sum.set(key, (sum.get(key) ?? 0) + n)
      return sum
    },
  }
}
