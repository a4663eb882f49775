import type { Buckets } from '../../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import type { Binder } from '../binder.ts'
import { condition } from '../condition.ts'
import { fieldValue } from '../field-value.ts'
import { type AggregationScope, type Counted, countedValue } from './aggregation-scope.ts'
import { ordinalSql } from './intervals.ts'

/** The key of the bucket or buckets that a record is in, and a condition on being in any. */
export type Key = Counted & { where?: string }

/**
 * Values are the keys of `terms`, ordinals those of histograms, positions in the request those of ranges and filters.
 */
export function bucketKey(buckets: Buckets, scope: AggregationScope, b: Binder): Key {
  switch (buckets.kind) {
    case 'terms':
      return countedValue(buckets.field, scope, b)
    case 'date_histogram': {
      const date = fieldValue(buckets.field, scope.surface, b)
      return { ...countedValue(buckets.field, scope, b), sql: ordinalSql(buckets.interval, date), type: 'Int64' }
    }
    case 'histogram': {
      const value = countedValue(buckets.field, scope, b)
      const [interval, offset] = [b.bind(buckets.interval, 'Float64'), b.bind(buckets.offset, 'Float64')]
      const ordinal = `floor((${value.sql} - ${offset}) / ${interval}) + 0`
      // A tiny interval takes large values past the largest number there is.
      return { ...value, sql: `if(isFinite(${ordinal}), ${ordinal}, NULL)`, each: 'maybe' }
    }
    case 'range':
    case 'date_range':
      return rangeKey(buckets, scope, b)
    case 'filter':
      return {
        sql: 'toUInt16(0)',
        type: 'UInt16',
        each: 'one',
        where: condition(buckets.clause, scope.surface, b),
      }
    case 'filters': {
      const conditions = buckets.clauses.map((clause) => condition(clause, scope.surface, b))
      const met = positions(conditions)
      const rest = `[toUInt16(${conditions.length})]`
      return {
        sql: buckets.other === null ? met : `if(empty(${met}), ${rest}, ${met})`,
        type: 'UInt16',
        each: 'several',
      }
    }
  }
}

type Ranges = Extract<Buckets, { kind: 'range' | 'date_range' }>

function rangeKey({ field, ranges }: Ranges, scope: AggregationScope, b: Binder): Key {
  const { sql: value } = countedValue(field, scope, b)
  const within = ranges.map(({ from, to }) => {
    const bounds = [
      ...(from === null ? [] : [`${value} >= ${b.bind(from, 'Float64')}`]),
      ...(to === null ? [] : [`${value} < ${b.bind(to, 'Float64')}`]),
    ]
    return bounds.length === 0 ? `isNotNull(${value})` : `(${bounds.join(' AND ')})`
  })
  if (ranges.length === 0 || overlap(ranges)) return { sql: positions(within), type: 'UInt16', each: 'several' }
  const cases = within.map((one, i) => `${one}, ${i}, `).join('')
  return { sql: `toUInt16(multiIf(${cases}NULL))`, type: 'UInt16', each: 'maybe' }
}

/** Whether a value can be in two of the ranges; where none can, no row has to be multiplied. */
function overlap(ranges: Ranges['ranges']): boolean {
  const bounds = ranges
    .map(({ from, to }) => ({ from: from ?? -Infinity, to: to ?? Infinity }))
    .filter(({ from, to }) => from < to)
    .sort((one, other) => one.from - other.from)
  return bounds.some(({ from }, i) => i > 0 && from < bounds[i - 1]!.to)
}

/** Positions of the conditions that hold. */
function positions(conditions: readonly string[]): string {
  const none = conditions.length
  const each = conditions.map((one, i) => `if(${one}, ${i}, ${none})`)
  return `CAST(arrayFilter(i -> i < ${none}, [${each.join(', ')}]), 'Array(UInt16)')`
}
