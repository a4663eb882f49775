/** What a search counts, once its text has been read (docs/use/search-aggregations.md). */

import type { Clause, Field } from '../clause.ts'

/** Sub-aggregations by the caller's names, in the caller's order. */
export type Aggregations = ReadonlyMap<string, Aggregation>

/** Of the buckets: by their number of records, their key, or the value of a metric among their sub-aggregations. */
export type BucketOrder = { by: 'count' | 'key' | { metric: string; of: string | null }; order: 'asc' | 'desc' }

export type Metric =
  | { kind: 'avg' | 'sum' | 'min' | 'max' | 'value_count' | 'cardinality' | 'stats'; field: Field }
  | { kind: 'extended_stats'; field: Field; sigma: number }
  | { kind: 'percentiles'; field: Field; percents: readonly number[]; keyed: boolean }

export type Interval =
  | { unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'; n: 1 }
  /** Fixed length. */
  | { unit: 'ms'; n: number }

export type Buckets =
  | { kind: 'terms'; field: Field; size: number; minDocCount: number; order: readonly BucketOrder[] }
  /** Bounds are half open, [from, to); null is open. Dates in unix milliseconds. */
  | {
      kind: 'range' | 'date_range'
      field: Field
      ranges: readonly { key: string | null; from: number | null; to: number | null }[]
      keyed: boolean
    }
  | {
      kind: 'date_histogram'
      field: Field
      interval: Interval
      minDocCount: number
      order: readonly BucketOrder[]
      keyed: boolean
    }
  | {
      kind: 'histogram'
      field: Field
      interval: number
      offset: number
      minDocCount: number
      order: readonly BucketOrder[]
      keyed: boolean
    }
  | { kind: 'filter'; clause: Clause }
  /** `names` null: the filters stand in an array. `other`: name of the bucket of records that meet none. */
  | { kind: 'filters'; clauses: readonly Clause[]; names: readonly string[] | null; other: string | null }

export type TopHits = {
  kind: 'top_hits'
  size: number
  from: number
  sort: { field: Field; order: 'asc' | 'desc' }
  includes: readonly string[]
  excludes: readonly string[]
}

export type Aggregation = Metric | TopHits | (Buckets & { aggs: Aggregations })
