import type { Sort, SortKey } from '../../../../connectors/history/sql/queries/history-queries.ts'
import { datatypeOf } from '../../../../schemas/intelligence/entities/catalogue.ts'

/** Which fields of a record an answer carries; `*` stands for anything within a name. */
export type Source = { includes: readonly string[]; excludes: readonly string[] }

const SORTS: Readonly<Record<string, SortKey>> = {
  '@timestamp': { column: 'time' },
  lastSeen: { column: 'time' },
  type: { column: 'type' },
  reputation: { column: 'reputation' },
  accuracy: { column: 'accuracy' },
  entityID: { column: 'entityID' },
  userID: { column: 'userID' },
}

const TEXT = new Set(['type', 'entityID', 'userID'])

/** Names of the fields that history can be sorted by (decisions 5.3). */
export const sortFields = [...Object.keys(SORTS), 'attributes.<name>']

/** The sort of a field name, `.keyword` allowed on text; null when there is no such field. */
export function sortBy(field: string, order: Sort['order']): Sort | null {
  const keyword = field.endsWith('.keyword')
  const name = keyword ? field.slice(0, -'.keyword'.length) : field
  if (name.startsWith('attributes.')) {
    const attribute = name.slice('attributes.'.length)
    const datatype = datatypeOf(attribute)
    return datatype === undefined ? null : { by: { attribute, numeric: datatype.search === 'number' }, order }
  }
  const by = Object.hasOwn(SORTS, name) ? SORTS[name] : undefined
  return by === undefined || (keyword && !TEXT.has(name)) ? null : { by, order }
}

/** Keeps of a record what `source` asks for: all without includes, never what is excluded. */
export function sourceFilter(source: Source): (record: Record<string, unknown>) => Record<string, unknown> {
  if (source.includes.length === 0 && source.excludes.length === 0) return (record) => record
  const included = source.includes.map(pattern)
  const excluded = source.excludes.map(pattern)
  const kept = (path: string): boolean =>
    (included.length === 0 || included.some((p) => p(path))) && !excluded.some((p) => p(path))
  return (record) => {
    const out: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(record)) {
      if (name !== 'attributes') {
        if (kept(name)) out[name] = value
        continue
      }
      const inner = Object.entries(value as object).filter(([k]) => kept(`attributes.${k}`))
      if (inner.length > 0) out[name] = Object.fromEntries(inner)
    }
    return out
  }
}

/** The name of an object matches all its members; the time of a match is linear for any pattern. */
function pattern(text: string): (path: string) => boolean {
  const parts = text.split('*')
  return (path) => matches(parts, path) || (parts.length === 1 && path.startsWith(`${text}.`))
}

function matches(parts: readonly string[], path: string): boolean {
  if (parts.length === 1) return path === parts[0]
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (!path.startsWith(first) || !path.endsWith(last) || path.length < first.length + last.length) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = path.indexOf(part, at)
    if (found < 0 || found + part.length > path.length - last.length) return false
    at = found + part.length
  }
  return true
}
