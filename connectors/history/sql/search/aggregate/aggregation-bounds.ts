/** Buckets of all aggregations of one answer together (docs/use/search-reference.md, bounds). */
export const MAX_BUCKETS = 10_000

/** The answer would exceed the size limit; the caller can request less. */
export class TooManyBuckets extends Error {
  readonly aggregation: string

  /** @param aggregation the caller's name of the one that went over the bound */
  constructor(aggregation: string, what = `more than ${MAX_BUCKETS} buckets`) {
    super(`aggregation '${aggregation}': the answer would have ${what}`)
    this.name = 'TooManyBuckets'
    this.aggregation = aggregation
  }
}

/** What is left of the bound while an answer grows. */
export type Budget = { /** @throws TooManyBuckets */ take(aggregation: string, buckets: number): void }

export function budget(): Budget {
  let left = MAX_BUCKETS
  return {
    take(aggregation, buckets) {
      left -= buckets
      if (!(left >= 0)) throw new TooManyBuckets(aggregation)
    },
  }
}
