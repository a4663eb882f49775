import type { Index } from '../question/address.ts'
import { kindOf } from '../question/fields.ts'
import type { Json } from '../question/json.ts'
import {
  type Aggregation,
  type BuilderRow,
  type Condition,
  type ConditionGroup,
  isComplete,
  isGroup,
  makesBuckets,
  type SearchModel,
} from './model.ts'

/** The body of a search, and which row of the builder stands at which path of it. */
export type WrittenSearch = { body: Json; rows: Map<string, number> }

const LISTS = { all: 'must', any: 'should', none: 'must_not' } as const
const MATCHES = { words: 'match', phrase: 'match_phrase' } as const
const TERMS = { is: 'term', begins: 'prefix', wildcard: 'wildcard', regexp: 'regexp', fuzzy: 'fuzzy' } as const

/** The request body of a model (docs/use/search.md). Incomplete rows are left out. */
export function write({ query, counts }: SearchModel, index: Index): WrittenSearch {
  const rows = new Map<string, number>()
  const bool = boolOf(query, 'query', index, rows)
  const aggs = aggregationsBody(counts, 'aggs', rows)
  return { body: { ...(bool === null ? {} : { query: bool }), ...(aggs === null ? {} : { aggs }) }, rows }
}

/** null: the group has no complete row. */
function boolOf(
  { join, rows: within }: ConditionGroup,
  path: string,
  index: Index,
  rows: Map<string, number>,
): Json | null {
  const list = LISTS[join]
  const clauses: Json[] = []
  for (const row of within) {
    const clause = clauseOf(row, `${path}.${list}[${clauses.length}]`, index, rows)
    if (clause !== null) clauses.push(clause)
  }
  return clauses.length === 0 ? null : { [list]: clauses }
}

function clauseOf(row: BuilderRow, path: string, index: Index, rows: Map<string, number>): Json | null {
  if (isGroup(row)) {
    const bool = boolOf(row, `${path}.bool`, index, rows)
    if (bool !== null) rows.set(path, row.id)
    return bool === null ? null : { bool }
  }
  if (!isComplete(row)) return null
  rows.set(path, row.id)
  const clause = leafOf(row, index)
  return row.not ? { bool: { must_not: [clause] } } : clause
}

function leafOf(row: Condition, index: Index): Json {
  const { field, op, value, values } = row
  const read = (text: string) => literalOf(text, field, index)
  if (op === 'exists') return { exists: { field } }
  if (op === 'oneOf') return { terms: { [field]: values.map(read) } }
  if (op === 'words') return { match: { [field]: { query: value, operator: 'and' } } }
  if (op === 'phrase') return { [MATCHES[op]]: { [field]: value } }
  if (op !== 'range') return { [TERMS[op]]: { [field]: op === 'is' ? read(value) : value } }
  const bounds = {
    ...(row.from.trim() === '' ? {} : { [row.fromOpen ? 'gt' : 'gte']: read(row.from) }),
    ...(row.to.trim() === '' ? {} : { [row.toOpen ? 'lt' : 'lte']: read(row.to) }),
  }
  return { range: { [field]: bounds } }
}

/** Numbers and booleans are converted. Other text is sent unchanged, so that the platform reports the error. */
function literalOf(text: string, field: string, index: Index): string | number | boolean {
  const kind = kindOf(field, index)
  const plain = text.trim()
  if (kind === 'boolean' && (plain === 'true' || plain === 'false')) return plain === 'true'
  if (kind === 'number' && plain !== '' && String(Number(plain)) === plain) return Number(plain)
  return kind === 'number' || kind === 'date' ? plain : text
}

function aggregationsBody(counts: readonly Aggregation[], path: string, rows: Map<string, number>): Json | null {
  const aggs: Json = {}
  for (const { id, name, kind, field, size, interval, inside } of counts) {
    const at = `${path}.${name}`
    if (rows.has(at) || name === '' || field === '') continue
    rows.set(at, id)
    const below = makesBuckets(kind) ? aggregationsBody(inside, `${at}.aggs`, rows) : null
    const step = kind === 'histogram' ? { interval: Number(interval) } : kind === 'date_histogram' ? { interval } : {}
    aggs[name] = {
      [kind]: { field, ...(kind === 'terms' ? { size } : {}), ...step },
      ...(below === null ? {} : { aggs: below }),
    }
  }
  return Object.keys(aggs).length === 0 ? null : aggs
}

/** The row of the builder that a refused parameter such as `query.must[2].range` belongs to. */
export function rowAt(param: string, rows: WrittenSearch['rows']): number | null {
  const paths = [...rows.keys()].filter(
    (path) => param === path || (/^[.[]/.test(param.slice(path.length)) && param.startsWith(path)),
  )
  const nearest = paths.sort((a, b) => b.length - a.length)[0]
  return nearest === undefined ? null : rows.get(nearest)!
}
