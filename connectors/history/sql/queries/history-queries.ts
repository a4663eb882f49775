import type { Query } from '../../port.ts'

/** A record; the id of its entity follows from type and value, and its digest is not read. */
export type HistoryRow = {
  id: string
  type: string
  value: string
  user_id: string
  /** What it counts for: a customer, a user, or a feed. No answer shows it as it is. */
  source: string
  attributes: Record<string, string>
  reputation: number
  accuracy: number
  tags: string[]
  audience: string
  well_known: number
  time: string
  /** Value of the sort field; null for the time, which is there already. */
  sorted: string | number | null
}

/** Records of the history that a source made: a verdict decides, and a match was only met (ADR 208, ADR 219). */
export const IS_REPORT = "history.kind NOT IN ('verdict', 'match')"

/** Types of the main values of all records, from the sums of days where they are there (ADR 266). */
export const recordTypes = (): Query => ({
  sql: 'SELECT DISTINCT type FROM history SETTINGS max_threads = 1',
  params: {},
})

/** The query of a simple search (specification 4.2, decisions 5.4). */
export type SimpleSearch = {
  audiences: readonly bigint[]
  /** Terms of which one must match, and terms that must all match together. */
  anyOf: readonly string[]
  allOf: readonly string[]
  /** Tags of which one is enough, too (ADR 272). */
  tags: readonly string[]
  entity: { type: string; digest: string } | null
  accuracy: number | null
  reputation: number | null
}

export type Sort = { by: SortKey; order: 'asc' | 'desc' }

export type SortKey =
  | { column: 'time' | 'type' | 'reputation' | 'accuracy' | 'entityID' | 'userID' }
  | { attribute: string; numeric: boolean }

const SORT_COLUMNS = {
  time: 'ts',
  type: 'type',
  reputation: 'reputation',
  accuracy: 'accuracy',
  entityID: 'entity_id',
  userID: 'user_id',
} as const

/**
 * No projection has whole records: looking for one takes a tenth of a small search. Indexes are read while the plan is
 * made, which leaves out parts without a match: of 22 parts that takes half of the time (ADR 265). A part that is read in
 * its order is read no further than the page needs: a buffer would read on in each of them.
 */
export const OF_RECORDS = `SETTINGS optimize_use_projections = 0, use_skip_indexes_on_data_read = 0,
      read_in_order_use_buffering = 0`

/** A few records found by an index: a second thread costs a third more of the processors, and saves no time (ADR 272). */
export const OF_FEW = `${OF_RECORDS}, max_threads = 1`

const RECORD = `id, type, value, user_id, source, attributes, reputation, accuracy, tags, audience, well_known,
      toUnixTimestamp64Milli(ts) AS time`

/** One page of records, newest first or as sorted; ties always by id. */
export function simplePage(q: SimpleSearch, sort: Sort, limit: number, offset: number): Query {
  const by = sortExpression(sort.by)
  const order = sort.order === 'asc' ? 'ASC' : 'DESC'
  return {
    sql: `SELECT ${RECORD}, ${'column' in sort.by && sort.by.column === 'time' ? 'NULL' : by} AS sorted
      FROM history WHERE ${matching(q)}
      ORDER BY ${by} ${order}, id ${order} LIMIT {limit:UInt32} OFFSET {offset:UInt64}
      ${isValueOnly(q) ? OF_FEW : OF_RECORDS}`,
    params: { ...paramsOf(q, sort), limit, offset },
  }
}

/** Whether a search is for whole values and tags alone, without words or conditions beside them. */
export const isValueOnly = (q: SimpleSearch): boolean =>
  q.anyOf.length > 0 && q.allOf.length === 0 && q.entity === null && q.accuracy === null && q.reputation === null

/** What several searches for values look for together. */
export type Sought = { audiences: readonly bigint[]; terms: readonly string[]; tags: readonly string[] }

/** The newest records with one of these terms or tags: several searches in one. The terms themselves are not read. */
export const simplePages = (sought: Sought, limit: number): Query => ({
  sql: `SELECT ${RECORD}, NULL AS sorted
    FROM history WHERE audience IN {audiences:Array(UInt64)} AND (hasAny(terms, {terms:Array(String)}) OR ${TAGGED})
    ORDER BY ts DESC, id DESC LIMIT {limit:UInt32} ${OF_FEW}`,
  params: { ...sought, limit },
})

/** How many records match. */
export const simpleCount = (q: SimpleSearch): Query => ({
  sql: `SELECT count() AS items FROM history WHERE ${matching(q)}`,
  params: paramsOf(q),
})

const TAGGED = 'hasAny(tags, {tags:Array(String)})'

function matching(q: SimpleSearch): string {
  const found = ['hasAny(terms, {anyOf:Array(String)})']
  if (q.tags.length > 0) found.push(TAGGED)
  if (q.allOf.length > 0) found.push('hasAll(terms, {allOf:Array(String)})')
  if (q.entity !== null) found.push('(digest = unhex({digest:String}) AND type = {entityType:String})')
  const all = ['audience IN {audiences:Array(UInt64)}', `(${found.join(' OR ')})`]
  if (q.accuracy !== null) all.push('accuracy = {accuracy:UInt8}')
  if (q.reputation !== null) all.push('reputation = {reputation:Int8}')
  return all.join(' AND ')
}

function paramsOf(q: SimpleSearch, sort?: Sort): Record<string, unknown> {
  const params: Record<string, unknown> = { audiences: q.audiences, anyOf: q.anyOf }
  if (q.tags.length > 0) params.tags = q.tags
  if (q.allOf.length > 0) params.allOf = q.allOf
  if (q.entity !== null) Object.assign(params, { digest: q.entity.digest, entityType: q.entity.type })
  if (q.accuracy !== null) params.accuracy = q.accuracy
  if (q.reputation !== null) params.reputation = q.reputation
  if (sort !== undefined && 'attribute' in sort.by) params.sortAttribute = sort.by.attribute
  return params
}

/** A column, or an attribute; the main value when the queried name is the type itself (it is not stored twice). */
function sortExpression(by: SortKey): string {
  if ('column' in by) return by.column === 'time' ? 'ts' : SORT_COLUMNS[by.column]
  const value = 'if(type = {sortAttribute:String}, value, attributes[{sortAttribute:String}])'
  return by.numeric ? `toFloat64OrNull(${value})` : value
}
