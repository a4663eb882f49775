import type { Aggregations } from './aggregations/aggregation.ts'
import { aggregations } from './aggregations/aggregations.ts'
import type { Clause, Field } from './clause.ts'
import { REGEXP_BUDGET } from './clauses/regexp.ts'
import { bool } from './clauses.ts'
import { Fault, fault } from './fault.ts'
import type { SurfaceName } from './fields.ts'
import { type After, after, collapse, type Source, source } from './page.ts'
import type { Reading } from './reading.ts'
import { members, object } from './shape.ts'

/** What the body of an advanced search asks for. */
export type Search = {
  clause: Clause
  aggs: Aggregations
  source: Source
  /** Results begin behind this one. */
  after: After | null
  /** One record for each value of this field. */
  collapse: Field | null
}

/** The name of what is wrong, such as `query.must[2].term`, and a message that goes on after the name. */
export type SearchRefused = { ok: false; param: string; message: string }

/** `now` in unix milliseconds; `sort` is the field that the page is sorted by, which `search_after` continues. */
export type SearchContext = { surface: SurfaceName; now: number; sort: Field }

/**
 * Reads the body of an advanced search whole (docs/use/search.md; decisions 5.5): what it asks, or its first fault in the
 * order of the body. Never throws; the time is linear in the length of the body.
 */
export function readSearch(body: unknown, context: SearchContext): { ok: true; search: Search } | SearchRefused {
  try {
    return { ok: true, search: read(body, context) }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, param: error.param, message: error.message }
    throw error
  }
}

function read(body: unknown, { surface, now, sort }: SearchContext): Search {
  const reading: Reading = { surface, now, clauses: 0, aggregations: 0, regexpBudget: REGEXP_BUDGET }
  const counted = (value: unknown, path: string): Aggregations => aggregations(value, path, reading, 0)
  const found = members(object(body, 'body'), '', {
    query: (value: unknown, path: string) => bool(value, path, reading, 0),
    aggs: counted,
    aggregations: counted,
    source,
    search_after: (value: unknown, path: string) => after(value, path, sort, reading),
    collapse: (value: unknown, path: string) => collapse(value, path, reading),
  })
  if (found.aggs && found.aggregations) fault('aggregations', 'cannot be combined with aggs')
  if (found.search_after && found.collapse) fault('collapse', 'cannot be combined with search_after')
  return {
    clause: found.query ?? { is: 'all' },
    aggs: found.aggs ?? found.aggregations ?? new Map(),
    source: found.source ?? { includes: [], excludes: [] },
    after: found.search_after ?? null,
    collapse: found.collapse ?? null,
  }
}
