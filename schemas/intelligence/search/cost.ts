/** What a search may cost the store, estimated before it runs: whether it takes its turns with the heavy ones, if any. */

import type { Aggregation, Aggregations } from './aggregations/aggregation.ts'
import type { Clause } from './clause.ts'
import type { Search } from './read-search.ts'

/** Every record is looked at letter by letter. */
const PATTERN = 64
/** Found by an index, or by comparing one column. */
const CLAUSE = 1
/** Every value is taken apart: an address out of its text, a host out of a URL. */
const PART = 8
/** Of a list of values that is one clause. */
const VALUES_OF_A_CLAUSE = 250
/** A pass over what matches, and one with groups in it. */
const METRIC = 4
const BUCKETS = 16
/** A clause of any attribute is held against all of them. */
const ANY = 4
const HEAVY = 64
/** A pattern over any attribute 128 times, or over one field 512 times: planning more takes most of the time of a query. */
const MOST = 512 * PATTERN

const sum = (costs: readonly number[]): number => costs.reduce((all, one) => all + one, 0)

function costOfClause(clause: Clause): number {
  switch (clause.is) {
    case 'all':
    case 'none':
      return 0
    case 'bool':
      return sum([...clause.must, ...clause.mustNot, ...clause.should].map(costOfClause))
    case 'equals':
      return times(clause.field.name, CLAUSE + clause.values.length / VALUES_OF_A_CLAUSE)
    case 'within':
      return PART + clause.networks.length / VALUES_OF_A_CLAUSE
    case 'suffix':
      return PART
    case 'words':
    case 'phrase':
      return times(clause.field.name, clause.words.length)
    case 'range':
    case 'exists':
    case 'prefix':
      return times(clause.field.name, CLAUSE)
    case 'regexp':
    case 'fuzzy':
      return times(clause.field.name, PATTERN)
  }
}

const times = (field: string, cost: number): number => (field === 'anyAttribute' ? ANY * cost : cost)

const costOfAll = (aggs: Aggregations): number => sum([...aggs.values()].map(costOfOne))

function costOfOne(one: Aggregation): number {
  if (!('aggs' in one)) return METRIC
  const filters = one.kind === 'filter' ? [one.clause] : one.kind === 'filters' ? one.clauses : []
  return BUCKETS + sum(filters.map(costOfClause)) + costOfAll(one.aggs)
}

type CostedSearch = Pick<Search, 'clause' | 'aggs'>

const costOf = ({ clause, aggs }: CostedSearch): number => costOfClause(clause) + costOfAll(aggs)

/** Whether a search may occupy a processor for long. Decides the queue that the search waits in, not its limits. */
export const isHeavy = (search: CostedSearch): boolean => costOf(search) >= HEAVY

/** Whether no store would come to an end with it in the time of a query. */
export const isTooHeavy = (search: CostedSearch): boolean => costOf(search) > MOST
