import type { Aggregations, TopHits } from '../../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import type { Query } from '../../../port.ts'
import { binder } from '../binder.ts'
import { fieldValue } from '../field-value.ts'
import { MAX_BUCKETS, TooManyBuckets } from './aggregation-bounds.ts'
import type { AggregationScope, Path } from './aggregation-scope.ts'
import { bucketKey } from './key.ts'
import { among, type Chosen, carries, isMetric, levelQuery, rootQuery, source } from './level.ts'
import type { AnswerRow } from './metric-answer.ts'
import { type Bucket, groupByParent, keysOf, pathKey, type QueryResults } from './query-results.ts'
import { shape } from './shape.ts'

/** Records of all `top_hits` of one kind in an answer together. */
const MAX_HITS = MAX_BUCKETS

/** A row that says which record stands where: keys of the buckets, its id and time. */
type Hit = { hit_id: string; hit_time: string }

/**
 * Which records are the first of each bucket of a path. Ids and times alone: whole records are read for the few that are
 * shown, so that sorting does not have to hold them all.
 */
function hitsQuery(path: Path, hits: TopHits, scope: AggregationScope, chosen: Chosen | null): Query {
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
function recordsQuery(found: readonly Hit[], { surface }: Pick<AggregationScope, 'surface'>): Query {
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

export type RunQuery = (query: Query) => Promise<AnswerRow[]>

/** How a page shows a record: what it makes of a row with the columns `record` of its surface, and `hit_id`. */
export type RecordFormat = { of(row: AnswerRow, hits: Pick<TopHits, 'includes' | 'excludes'>): unknown }

export type Counts = {
  /** Records that match. */
  items: number
  aggregations: Record<string, unknown>
}

/**
 * Counts what a search matches. One query for each aggregation with buckets, one after the other, and one for the root
 * unless one of them there can carry it; buckets below `terms` are looked for in the chosen ones alone.
 * @throws TooManyBuckets; what `ask` throws
 */
export async function aggregate(
  aggs: Aggregations,
  scope: AggregationScope,
  ask: RunQuery,
  records: RecordFormat,
): Promise<Counts> {
  const found: QueryResults = { root: { count: 0, row: null }, buckets: new Map(), hits: new Map() }
  const carrier = [...aggs].find(([, aggregation]) => carries(aggregation, scope))?.[0]
  const setRoot = (row: AnswerRow | undefined): void => {
    if (row !== undefined) found.root = { count: Number(row.c), row }
  }
  if (carrier === undefined) setRoot((await ask(rootQuery(aggs, scope)))[0])

  const visit = async (level: Aggregations, path: Path, parents: readonly Bucket[]): Promise<void> => {
    const chosen = chosenOf(path, found)
    for (const [name, aggregation] of level) {
      if (isMetric(aggregation)) continue
      const names = pathKey([...path.map((step) => step.name), name])
      if (aggregation.kind === 'top_hits') {
        const bounded = parents.length * aggregation.size
        if (bounded > MAX_HITS) throw new TooManyBuckets(name, `more than ${MAX_HITS} records`)
        if (bounded > 0) found.hits.set(names, await hitsOf(path, aggregation, scope, chosen, ask, records))
        continue
      }
      if (parents.length === 0) continue
      const below = [...path, { name, buckets: aggregation }]
      const around = path.length === 0 && name === carrier ? aggs : null
      const rows = await ask(levelQuery(below, scope, chosen, around))
      if (around !== null) setRoot(rows.find((row) => Number(row.g) === 1))
      // A row without its key is of the records in no bucket.
      const inside = around === null ? rows : rows.filter((row) => Number(row.g) === 0 && row.k0 !== null)
      const buckets = bucketsOf(below, scope, inside)
      if (buckets.length > MAX_BUCKETS) throw new TooManyBuckets(name)
      found.buckets.set(
        names,
        groupByParent(buckets, (bucket) => bucket.keys.slice(0, -1)),
      )
      await visit(aggregation.aggs, below, buckets)
    }
  }
  await visit(aggs, [], [{ keys: [], count: 0, row: {} }])
  return { items: found.root.count, aggregations: shape(aggs, found) }
}

/**
 * The buckets of the last `terms` of a path: only a part of them is shown, and only their sub-aggregations are read.
 */
function chosenOf(path: Path, found: QueryResults): Chosen | null {
  const depth = path.findLastIndex(({ buckets }) => buckets.kind === 'terms') + 1
  if (depth === 0) return null
  const names = pathKey(path.slice(0, depth).map((step) => step.name))
  return [...found.buckets.get(names)!.values()].flat().map((bucket) => bucket.keys)
}

const typesOf = (path: Path, scope: AggregationScope) =>
  path.map(({ buckets }) => bucketKey(buckets, scope, binder()).type)

function bucketsOf(path: Path, scope: AggregationScope, rows: readonly AnswerRow[]): Bucket[] {
  const types = typesOf(path, scope)
  return rows.map((row) => ({ keys: keysOf(row, types), count: Number(row.c), row }))
}

async function hitsOf(
  path: Path,
  hits: TopHits,
  scope: AggregationScope,
  chosen: Chosen | null,
  ask: RunQuery,
  records: RecordFormat,
): Promise<ReturnType<typeof groupByParent<unknown>>> {
  const first = (await ask(hitsQuery(path, hits, scope, chosen))) as (AnswerRow & Hit)[]
  if (first.length > MAX_HITS) throw new TooManyBuckets(path.at(-1)!.name, `more than ${MAX_HITS} records`)
  const rows = first.length === 0 ? [] : await ask(recordsQuery(first, scope))
  const byId = new Map(rows.map((row) => [String(row.hit_id), records.of(row, hits)]))
  const types = typesOf(path, scope)
  const shown = first.flatMap((hit) => (byId.has(hit.hit_id) ? [{ keys: keysOf(hit, types), hit: hit.hit_id }] : []))
  const groups = groupByParent(shown, ({ keys }) => keys)
  return new Map([...groups].map(([parent, list]) => [parent, list.map(({ hit }) => byId.get(hit))]))
}
