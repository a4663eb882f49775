import type { Metric } from '../../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import { decimal, finite, iso } from './scalars.ts'

export type AnswerRow = Readonly<Record<string, unknown>>

/** The answer of a metric from its columns, which are named `<prefix>_<suffix>`; of an empty bucket without a row. */
export function metricAnswer(metric: Metric, row: AnswerRow | null, prefix: string): Record<string, unknown> {
  const column = (suffix: string): unknown => row?.[`${prefix}_${suffix}`]
  const number = (suffix: string): number | null => finite(column(suffix))
  switch (metric.kind) {
    case 'avg':
      return { value: number('value') }
    case 'sum':
    case 'value_count':
    case 'cardinality':
      return { value: orNought(column('value')) }
    case 'min':
    case 'max': {
      const value = number('value')
      return { value, ...(metric.field.kind === 'date' && value !== null && { value_as_string: iso(value) }) }
    }
    case 'stats':
      return stats(column)
    case 'extended_stats':
      return { ...stats(column), ...extendedStats(column, metric.sigma) }
    case 'percentiles': {
      const found = (column('value') ?? []) as readonly unknown[]
      const pairs = metric.percents.map((percent, i) => [percent, finite(found[i])] as const)
      return metric.keyed
        ? { values: Object.fromEntries(pairs.map(([percent, value]) => [decimal(percent), value])) }
        : { values: pairs.map(([key, value]) => ({ key, value })) }
    }
  }
}

/** Nothing adds up to 0; a sum beyond what a number holds is no number. */
const orNought = (value: unknown): number | null => (value === null || value === undefined ? 0 : finite(value))

const stats = (column: (suffix: string) => unknown): Record<string, number | null> => ({
  count: orNought(column('count')),
  min: finite(column('min')),
  max: finite(column('max')),
  avg: finite(column('avg')),
  sum: orNought(column('sum')),
})

function extendedStats(column: (suffix: string) => unknown, sigma: number): Record<string, unknown> {
  const avg = finite(column('avg'))
  const population = finite(column('variance'))
  const sampling = finite(column('variance_sampling'))
  const root = (variance: number | null): number | null => (variance === null ? null : Math.sqrt(variance))
  const deviationBound = (variance: number | null, side: 1 | -1): number | null =>
    avg === null || variance === null ? null : finite(avg + side * sigma * Math.sqrt(variance))
  return {
    sum_of_squares: avg === null ? null : finite(column('sum_of_squares')),
    variance: population,
    variance_population: population,
    variance_sampling: sampling,
    std_deviation: root(population),
    std_deviation_population: root(population),
    std_deviation_sampling: root(sampling),
    std_deviation_bounds: {
      upper: deviationBound(population, 1),
      lower: deviationBound(population, -1),
      upper_population: deviationBound(population, 1),
      lower_population: deviationBound(population, -1),
      upper_sampling: deviationBound(sampling, 1),
      lower_sampling: deviationBound(sampling, -1),
    },
  }
}
