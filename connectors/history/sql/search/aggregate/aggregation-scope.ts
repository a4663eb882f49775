import type { Aggregations, Buckets } from '../../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import type { Clause, Field } from '../../../../../schemas/intelligence/search/clause.ts'
import type { Binder } from '../binder.ts'
import { fieldValue, isPlace } from '../field-value.ts'
import type { Surface } from '../surface.ts'

/** Which records are counted: those of a surface that match a clause. */
export type AggregationScope = {
  surface: Surface
  query: Clause
}

/** A bucket aggregation and the caller's name of it. Several, from the root down, are a path. */
export type Step = { name: string; buckets: Buckets & { aggs: Aggregations } }
export type Path = readonly Step[]

/** What of a field is counted. `each` record has one value, `maybe` one (else NULL), or `several` in an array. */
export type Counted = {
  sql: string
  type: 'String' | 'Float64' | 'Int64' | 'UInt16'
  each: 'one' | 'maybe' | 'several'
}

/** The values of a field: text, finite numbers without a negative zero, unix milliseconds of dates, 1 and 0. */
export function countedValue(field: Field, { surface }: Pick<AggregationScope, 'surface'>, b: Binder): Counted {
  const value = fieldValue(field, surface, b)
  // Tags are a set.
  if (field.name === 'tags') return { sql: value, type: 'String', each: 'several' }
  if (field.name === 'anyAttribute') return { sql: `arrayDistinct(${value})`, type: 'String', each: 'several' }
  const each = field.name === 'attribute' || isPlace(field) ? 'maybe' : 'one'
  if (field.kind === 'date') return { sql: `toUnixTimestamp64Milli(${value})`, type: 'Int64', each }
  if (field.kind === 'boolean') return { sql: `toUInt16(${value})`, type: 'UInt16', each }
  if (field.kind !== 'number') return { sql: value, type: 'String', each }
  return each === 'one'
    ? { sql: value, type: 'Float64', each }
    : { sql: `if(isFinite(${value}), ${value} + 0, NULL)`, type: 'Float64', each }
}
