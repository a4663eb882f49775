/** A bucket of an analytics answer (specification 2.7). */
export type Bucket = { key: string; count: number }

const NUMERIC = /^-?\d+$/

/** Ascending, numbers as numbers (decisions 5.1). */
function byKey(a: string, b: string): number {
  if (NUMERIC.test(a) && NUMERIC.test(b)) return Number(a) - Number(b)
  return a < b ? -1 : a > b ? 1 : 0
}

/** Non-empty buckets, largest first, then by key (decisions 5.1). */
export const byCount = (counts: ReadonlyMap<string, number>): Bucket[] =>
  [...counts]
    .filter(([, count]) => count > 0)
    .map(([key, count]) => ({ key, count }))
    .sort((a, b) => b.count - a.count || byKey(a.key, b.key))

/** The first `size` of them. */
export const topBuckets = (counts: ReadonlyMap<string, number>, size: number): Bucket[] =>
  byCount(counts).slice(0, size)
