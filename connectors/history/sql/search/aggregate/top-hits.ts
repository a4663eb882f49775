import type { TopHits } from '../../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import type { Query } from '../../../port.ts'
import { binder } from '../binder.ts'
import { fieldValue } from '../value.ts'
import { MAX_BUCKETS } from './bounds.ts'
import { among, type Chosen, source } from './level.ts'
import type { AggregationScope, Path } from './scope.ts'

/** Records of all `top_hits` of one kind in an answer together. */
export const MAX_HITS = MAX_BUCKETS

/** A row that says which record stands where: keys of the buckets, its id and time. */
export type Hit = { hit_id: string; hit_time: string }

/**
 * Which records are the first of each bucket of a path. Ids and times alone: whole records are read for the few that are
 * shown, so that sorting does not have to hold them all.
 */
export function hitsQuery(path: Path, hits: TopHits, scope: AggregationScope, chosen: Chosen | null): Query {
  const b = binder()
  const { columns, tie } = scope.surface
  const value = fieldValue(hits.sort.field, scope.surface, b)
  const extra = [
    `${columns.id} AS hit_id`,
    `toUnixTimestamp64Milli(${columns['@timestamp']}) AS hit_time`,
    `${value} AS hit_sort`,
    `${tie?.column ?? columns.id} AS hit_tie`,
  ]
  const { from, keys, present } = source(path, new Map(), 'm', scope, b, null, extra)
  const names = path.map((_, i) => `k${i}`)
  const where = [...present, ...(chosen === null ? [] : [among(keys, chosen, b)])]
  const [offset, size] = [b.bind(hits.from, 'UInt32'), b.bind(hits.size, 'UInt32')]
  const { field, order } = hits.sort
  // Without the words about NULL, so that records are read in the order of their table.
  const last = field.name === 'attribute' ? ' NULLS LAST' : ''
  const parts = [
    `SELECT ${[...names, 'hit_id', 'hit_time'].join(', ')} FROM ${from}`,
    where.length > 0 ? `WHERE ${where.join(' AND ')}` : '',
    `ORDER BY hit_sort ${order}${last}, hit_tie ${order}`,
    names.length > 0 ? `LIMIT ${offset}, ${size} BY ${names.join(', ')}` : `LIMIT ${offset}, ${size}`,
    names.length > 0 ? `LIMIT ${MAX_HITS + 1}` : '',
  ]
  return { sql: parts.filter((part) => part !== '').join('\n'), params: b.params }
}

/** The records themselves, as `hit_id` and the columns of an answer; times and ids narrow what is read to a few blocks. */
export function recordsQuery(found: readonly Hit[], { surface }: Pick<AggregationScope, 'surface'>): Query {
  const b = binder()
  const { source: table, readable } = surface.from(b)
  const { columns, narrow } = surface
  const ids = [...new Set(found.map((hit) => hit.hit_id))]
  const times = b.bind([...new Set(found.map((hit) => hit.hit_time))].map(BigInt), 'Array(Int64)')
  const where = [
    `(${readable})`,
    `${columns['@timestamp']} IN (SELECT fromUnixTimestamp64Milli(arrayJoin(${times}), 'UTC'))`,
    ...(narrow?.ids === undefined ? [] : [narrow.ids(ids, b)]),
    `${columns.id} IN ${b.bind(ids, 'Array(String)')}`,
  ]
  return {
    sql: `SELECT ${columns.id} AS hit_id, ${surface.record} FROM ${table} WHERE ${where.join(' AND ')}`,
    params: b.params,
  }
}
