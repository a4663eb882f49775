import type { Aggregation, Aggregations } from '../../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import { type Budget, budget } from './bounds.ts'
import { type AnswerPosition, bucketsAnswer } from './bucket-answer.ts'
import { pathKey, type QueryResults } from './found.ts'
import { isMetric } from './level.ts'
import { metricAnswer } from './metric-answer.ts'

/**
 * The answer: by the caller's names, in the caller's order.
 * @throws TooManyBuckets when the empty ones make it too large
 */
export function shape(aggs: Aggregations, found: QueryResults): Record<string, unknown> {
  const { count, row } = found.root
  return answers(aggs, { names: [], keys: [], count, row, prefix: 'r' }, found, budget())
}

function answers(aggs: Aggregations, at: AnswerPosition, found: QueryResults, left: Budget): Record<string, unknown> {
  return Object.fromEntries([...aggs].map(([name, each], i) => [name, answer(name, i, each, at, found, left)]))
}

function answer(
  name: string,
  i: number,
  aggregation: Aggregation,
  at: AnswerPosition,
  found: QueryResults,
  left: Budget,
): unknown {
  const column = `${at.prefix}${i}`
  if (isMetric(aggregation)) return metricAnswer(aggregation, at.row, column)
  const names = [...at.names, name]
  const parent = pathKey(at.keys)
  if (aggregation.kind === 'top_hits') {
    const hits = found.hits.get(pathKey(names))?.get(parent) ?? []
    return { hits: { total: { value: at.count, relation: 'eq' }, hits } }
  }
  const rows = found.buckets.get(pathKey(names))?.get(parent) ?? []
  const values = Number(at.row?.[`${column}_values`] ?? 0)
  return bucketsAnswer(aggregation, rows, { values, take: (buckets) => left.take(name, buckets) }, (bucket) => {
    const inside: AnswerPosition = { names, prefix: 'm', ...(bucket ?? { keys: [], count: 0, row: null }) }
    // What is below an empty bucket is empty: no keys lead there.
    return answers(aggregation.aggs, inside, bucket === null ? NOTHING : found, left)
  })
}

const NOTHING: QueryResults = { root: { count: 0, row: null }, buckets: new Map(), hits: new Map() }
