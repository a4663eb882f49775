import type { Clause, Field } from '../../../../schemas/intelligence/search/clause.ts'
import type { After } from '../../../../schemas/intelligence/search/page.ts'
import type { Query } from '../../port.ts'
import { type Binder, binder } from '../search/binder.ts'
import { condition } from '../search/condition.ts'
import { isTime } from '../search/daily-needs.ts'
import { fieldValue } from '../search/field-value.ts'
import { behind, orderBy, type SearchOrder, sortedValue } from '../search/order.ts'
import type { Surface } from '../search/surface.ts'
import { OF_FEW, OF_RECORDS } from './history-queries.ts'

/** Which records of a surface, in which order. */
export type RecordSearch = {
  surface: Surface
  clause: Clause
  sort: SearchOrder
  after: After | null
  /** One record for each value of this field: the first in the order. */
  collapse: Field | null
}

/** `items`: records that match; `groups`: values of the field to collapse, none at all counting as one (0 without it). */
export type SearchTotals = { items: string; groups: number | string }

export function searchTotals({
  surface,
  clause,
  collapse,
}: Pick<RecordSearch, 'surface' | 'clause' | 'collapse'>): Query {
  const b = binder()
  const { source, where } = matching(surface, clause, b)
  const value = collapse && fieldValue(collapse, surface, b)
  const groups = value === null ? '0' : `uniqExact(${value}) + max(isNull(${value}))`
  const items = surface.sums === undefined ? 'count()' : `sum(${surface.sums.records})`
  return { sql: `SELECT ${items} AS items, ${groups} AS groups FROM ${source} WHERE ${where}`, params: b.params }
}

/** One page, as `surface.record` names its columns; `sorted` is the value of the sort field. */
export function searchPage(search: RecordSearch, limit: number, offset: number): Query {
  const { surface, clause, sort, after, collapse } = search
  const b = binder()
  const { source, where } = matching(surface, clause, b)
  const from = after === null ? where : `${where} AND ${behind(sort, after, surface, b)}`
  const once = collapse === null ? '' : `LIMIT 1 BY ${fieldValue(collapse, surface, b)}`
  return {
    sql: `SELECT ${surface.record}, ${sortedValue(sort, surface, b)} AS sorted
      FROM ${source} WHERE ${from}
      ORDER BY ${orderBy(sort, surface, b)} ${once}
      LIMIT ${b.bind(limit, 'UInt32')} OFFSET ${b.bind(offset, 'UInt64')} ${isFound(search) ? OF_FEW : OF_RECORDS}`,
    params: b.params,
  }
}

/** Whether records are found by an index, and read in the order of their table as far as the page needs. */
const isFound = ({ surface, clause, sort }: RecordSearch): boolean =>
  surface.tie !== undefined && isTime(sort.field) && namesValue(clause)

const FOUND: ReadonlySet<string> = new Set(['attribute', 'anyAttribute', 'value', 'tags', 'id', 'entityID'])

const namesValue = (clause: Clause): boolean =>
  clause.is === 'bool' ? clause.must.some(namesValue) : clause.is === 'equals' && FOUND.has(clause.field.name)

function matching(surface: Surface, clause: Clause, b: Binder): { source: string; where: string } {
  const { source, readable } = surface.from(b)
  return { source, where: `${readable} AND ${condition(clause, surface, b)}` }
}
