import type { Metric } from '../../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import type { Binder } from '../binder.ts'
import { fieldValue } from '../field-value.ts'
import type { Surface } from '../surface.ts'
import { type AggregationScope, countedValue } from './aggregation-scope.ts'

/** What a metric reads of each record, and the columns that its answer is made from: suffix and SQL over `v`. */
export type MetricColumns = {
  value: string
  columns: readonly (readonly [suffix: string, sql: (v: string) => string])[]
}

/** Exact up to 16,000 values at least, then within 0.2 % in 400 KB (ADR 272). */
const DISTINCT = 'uniqCombined64'
const DISTINCT_BITS = 19

const STATS: MetricColumns['columns'] = [
  ['count', (v) => `count(${v})`],
  ['min', (v) => `minOrNull(${v})`],
  ['max', (v) => `maxOrNull(${v})`],
  ['avg', (v) => `avg(${v})`],
  ['sum', (v) => `sum(${v})`],
]
const EXTENDED: MetricColumns['columns'] = [
  ...STATS,
  ['sum_of_squares', (v) => `sum(${v} * ${v})`],
  ['variance', (v) => `varPopStable(${v})`],
  ['variance_sampling', (v) => `varSampStable(${v})`],
]

/** The columns of a metric in the query of the buckets that it stands in. */
export function metricColumns(metric: Metric, scope: AggregationScope, b: Binder): MetricColumns {
  if (scope.surface.sums !== undefined && metric.kind !== 'cardinality')
    return summedColumns(metric, scope.surface, scope.surface.sums, b)
  const { sql: value, each } = countedValue(metric.field, scope, b)
  const one = (sql: (v: string) => string): MetricColumns => ({ value, columns: [['value', sql]] })
  switch (metric.kind) {
    case 'avg':
    case 'sum':
      return one((v) => `${metric.kind}(${v})`)
    case 'min':
    case 'max':
      return one((v) => `${metric.kind}OrNull(${v})`)
    case 'value_count':
      return each === 'several'
        ? { value: `length(${value})`, columns: [['value', (v) => `sum(${v})`]] }
        : one((v) => `count(${v})`)
    case 'cardinality': {
      // Entities are distinguished by less than the text of their ids.
      const counted = metric.field.name === 'entityID' ? (scope.surface.entity ?? value) : value
      const distinct = `${DISTINCT}${each === 'several' ? 'Array' : ''}(${DISTINCT_BITS})`
      // Of no value at all this function alone of its family is NULL, and NULL would be ordered last.
      return { value: counted, columns: [['value', (v) => `ifNull(${distinct}(${v}), 0)`]] }
    }
    case 'stats':
      return { value, columns: STATS }
    case 'extended_stats':
      return { value, columns: EXTENDED }
    case 'percentiles': {
      const levels = metric.percents.map((percent) => b.bind(percent / 100, 'Float64')).join(', ')
      return one((v) => `quantilesExactInclusive(${levels})(${v})`)
    }
  }
}

/**
 * The same of rows that stand for `n` records each, which have the value in common or the sum of their numbers.
 * @throws TypeError for a metric that needs every record
 */
function summedColumns(metric: Metric, surface: Surface, sums: NonNullable<Surface['sums']>, b: Binder): MetricColumns {
  const { kind, field } = metric
  const sum = field.name === 'reputation' || field.name === 'accuracy' ? sums[field.name] : '0'
  const one = (value: string, sql: (v: string) => string): MetricColumns => ({ value, columns: [['value', sql]] })
  switch (kind) {
    case 'avg':
      return one(sum, (v) => `sum(${v}) / sum(n)`)
    case 'sum':
      return one(sum, (v) => `sum(${v})`)
    case 'min':
    case 'max':
      return one(fieldValue(field, surface, b), (v) => `${kind}OrNull(${v})`)
    case 'value_count':
      return one(field.name === 'tags' ? `length(${surface.columns.tags})` : '1', (v) => `sum(${v} * n)`)
    case 'stats':
      return {
        value: `(${fieldValue(field, surface, b)}, ${sum})`,
        columns: [
          ['count', () => 'sum(n)'],
          ['min', (v) => `minOrNull(tupleElement(${v}, 1))`],
          ['max', (v) => `maxOrNull(tupleElement(${v}, 1))`],
          ['avg', (v) => `sum(tupleElement(${v}, 2)) / sum(n)`],
          ['sum', (v) => `sum(tupleElement(${v}, 2))`],
        ],
      }
    default:
      throw new TypeError(`'${kind}' needs every record`)
  }
}

/** Members that are no columns, and the column that orders as they do. */
const ORDERED_AS: ReadonlyMap<string, string> = new Map([
  ['variance_population', 'variance'],
  ['std_deviation', 'variance'],
  ['std_deviation_population', 'variance'],
  ['std_deviation_sampling', 'variance_sampling'],
])

/**
 * The column that orders buckets by a metric; its columns are named `<prefix>_<suffix>`.
 * @param of member of a metric with several
 * @throws TypeError for a member that the metric does not have
 */
export function metricOrder(metric: Metric, of: string | null, prefix: string): string {
  const { kind } = metric
  if (kind !== 'stats' && kind !== 'extended_stats' && kind !== 'percentiles') return `${prefix}_value`
  if (kind === 'percentiles') {
    const at = metric.percents.indexOf(Number(of ?? Number.NaN))
    if (at !== -1) return `${prefix}_value[${at + 1}]`
  } else {
    const columns = kind === 'stats' ? STATS : EXTENDED
    const column = columns.find(([suffix]) => suffix === (ORDERED_AS.get(of ?? '') ?? of))
    if (column !== undefined) return `${prefix}_${column[0]}`
  }
  throw new TypeError(`'${kind}' has no member '${of}'`)
}
