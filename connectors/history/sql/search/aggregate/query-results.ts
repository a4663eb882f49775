import type { Counted } from './aggregation-scope.ts'
import type { KeyValue } from './level.ts'
import type { AnswerRow } from './metric-answer.ts'

/** A bucket that has records. */
export type Bucket = { keys: readonly KeyValue[]; count: number; row: AnswerRow }

/** A part of the answer; and what makes that of the aggregations in a bucket, null for an empty one. */
export type AnswerPart = Record<string, unknown>
export type Inside = (bucket: Bucket | null) => AnswerPart

/** Buckets of one aggregation, or records of one `top_hits`, by the bucket around them, in the order of the store. */
export type Below<T> = ReadonlyMap<string, readonly T[]>

/** All that the queries of a search brought, by the names on the way to an aggregation. */
export type QueryResults = {
  root: { count: number; row: AnswerRow | null }
  buckets: Map<string, Below<Bucket>>
  hits: Map<string, Below<unknown>>
}

/** A path of names or keys as the key of a map. */
export const pathKey = (path: readonly KeyValue[]): string => JSON.stringify(path)

/** The keys of a row, of the types that their aggregations have. */
export const keysOf = (row: AnswerRow, types: readonly Counted['type'][]): KeyValue[] =>
  types.map((type, i) => (type === 'String' ? String(row[`k${i}`]) : Number(row[`k${i}`])))

export function groupByParent<T>(items: readonly T[], parentOf: (item: T) => readonly KeyValue[]): Below<T> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const parent = pathKey(parentOf(item))
    const group = groups.get(parent)
    if (group === undefined) groups.set(parent, [item])
    else group.push(item)
  }
  return groups
}
