import type { Aggregation, Aggregations } from '../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import type { Clause, Field } from '../../../../schemas/intelligence/search/clause.ts'

/** Fields that the sums of a day are kept by, besides the day and the audience (migration 0005). */
export type DailyField = 'type' | 'tags' | 'reputation' | 'accuracy' | 'wellKnown'

/** What a computation over the sums of whole days has to know of each: values of these fields, and the day itself. */
export type DailyNeeds = { keys: ReadonlySet<DailyField>; day: boolean }

/** The fields of each projection: a computation has to do with one of them. */
const KEPT: readonly ReadonlySet<DailyField>[] = [
  new Set(['type', 'wellKnown', 'reputation', 'accuracy']),
  new Set(['type', 'tags']),
]

const DAY_MS = 86_400_000
const FIELDS: ReadonlySet<string> = new Set(KEPT.flatMap((fields) => [...fields]))
const isDaily = (field: Field): field is Field & { name: DailyField } => FIELDS.has(field.name)

type Found = { keys: Set<DailyField>; filters: Set<DailyField>; day: boolean }

/**
 * What has to be known of each day so that the search is answered from the sums of days exactly as from the records; null
 * where it cannot be. The clause must be free of times (`splitTime`).
 */
export function dailyNeeds(clause: Clause, aggs: Aggregations): DailyNeeds | null {
  const found: Found = { keys: new Set(), filters: new Set(), day: false }
  if (!tests(clause, found.filters) || !every(aggs, found)) return null
  const all = [...found.keys, ...found.filters]
  return KEPT.some((fields) => all.every((field) => fields.has(field))) ? { keys: found.keys, day: found.day } : null
}

const every = (aggs: Aggregations, found: Found): boolean => [...aggs.values()].every((each) => computes(each, found))

function computes(aggregation: Aggregation, found: Found): boolean {
  switch (aggregation.kind) {
    // The sums themselves.
    case 'avg':
    case 'sum':
      return isDaily(aggregation.field)
    case 'min':
    case 'max':
    case 'stats':
    case 'value_count':
    case 'cardinality':
      return keyed(aggregation.field, found)
    case 'terms':
    case 'range':
    case 'histogram':
      return keyed(aggregation.field, found) && every(aggregation.aggs, found)
    case 'date_histogram':
      found.day = true
      return isTime(aggregation.field) && wholeDays(aggregation.interval) && every(aggregation.aggs, found)
    case 'filter':
      return tests(aggregation.clause, found.keys) && every(aggregation.aggs, found)
    case 'filters':
      return aggregation.clauses.every((each) => tests(each, found.keys)) && every(aggregation.aggs, found)
    default:
      return false
  }
}

function keyed(field: Field, { keys }: Found): boolean {
  if (!isDaily(field)) return false
  keys.add(field.name)
  return true
}

/** Whether the clause asks about daily fields alone; they are added to `fields`. */
function tests(clause: Clause, fields: Set<DailyField>): boolean {
  if (clause.is === 'all' || clause.is === 'none') return true
  if (clause.is === 'bool')
    return [clause.must, clause.mustNot, clause.should].every((list) => list.every((each) => tests(each, fields)))
  if (!isDaily(clause.field)) return false
  fields.add(clause.field.name)
  return true
}

/** When a record was made; dates among its attributes are others. */
export const isTime = ({ name }: Field): boolean => name === '@timestamp' || name === 'lastSeen'

function wholeDays({ unit, n }: { unit: string; n: number }): boolean {
  if (unit === 'ms') return n % DAY_MS === 0
  return unit !== 'minute' && unit !== 'hour'
}
