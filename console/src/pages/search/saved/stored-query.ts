import type { Json } from '../question/json.ts'
/** Converts between the state of the search page and the text of a saved search. */

import { isIndicatorKind } from '../../../parts/indicators/kinds.ts'
import { readAddress, type SearchAddress } from '../question/address.ts'

/**
 * The text of a saved search, which every client of saved searches can read: the search, without the number of the
 * page. null: the URL holds no search.
 */
export function storedQuery({ mode, index, q, as, dsl, sort, order }: SearchAddress): string | null {
  const common = { mode, index, sort, order }
  if (mode === 'advanced') return dsl === null ? null : JSON.stringify({ ...common, dsl })
  return q.trim() === '' ? null : JSON.stringify({ ...common, q, ...(as === null ? {} : { as }) })
}

/** The search state of a saved text, of the console or another program; null when the text cannot be opened. */
export function addressOfStored(given: string | Json): SearchAddress | null {
  const kept = typeof given === 'string' ? jsonOf(given) : given
  // Other programs save the text that a user would type.
  if (kept === null) return String(given).trim() === '' ? null : { ...readAddress(''), mode: 'quick', q: String(given) }
  const usual = readAddress('')
  const text = (name: string) => (typeof kept[name] === 'string' ? (kept[name] as string) : null)
  const common = {
    ...usual,
    index: kept.index === 'history' ? ('history' as const) : usual.index,
    sort: text('sort') ?? usual.sort,
    order: kept.order === 'asc' ? ('asc' as const) : usual.order,
  }
  const as = text('as')
  const q = text('q')
  if (kept.mode === 'quick' && q !== null) return { ...common, mode: 'quick', q, as: isIndicatorKind(as) ? as : null }
  // Programs keep the body itself.
  const dsl = text('dsl') ?? (kept.mode === undefined ? JSON.stringify(kept) : null)
  return dsl === null ? null : { ...common, mode: 'advanced', dsl }
}

/** The object that a text is; null when it is none. */
function jsonOf(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
  } catch {
    return null
  }
}
