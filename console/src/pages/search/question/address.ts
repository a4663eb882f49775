import { type IndicatorKind, isIndicatorKind } from '../../../parts/indicators/kinds.ts'

export type Index = 'entities' | 'history'
export type Order = 'asc' | 'desc'

/** The state of the page in its URL: everything that a shared or reloaded link needs. */
export type SearchAddress = {
  mode: 'quick' | 'advanced'
  index: Index
  /** The pasted text. */
  q: string
  /** The kind that the reader has chosen; null: the recognised kind. */
  as: IndicatorKind | null
  /** The body of an advanced search as JSON text; null: no search yet. */
  dsl: string | null
  sort: string
  order: Order
  page: number
  limit: number
  /** `sort` of the result that the page begins behind, as JSON text. */
  after: string | null
}

/** Opens the search page with some of its address changed. */
export type Go = (to: Partial<SearchAddress>) => void

export const LIMITS = [25, 50, 100, 500] as const
/** The platform reads the line of a request up to 16 KiB; longer searches stay in the page. */
export const MAX_ADDRESS = 12_000

const DEFAULT_ADDRESS: SearchAddress = {
  mode: 'quick',
  index: 'entities',
  q: '',
  as: null,
  dsl: null,
  sort: 'lastSeen',
  order: 'desc',
  page: 1,
  limit: LIMITS[0],
  after: null,
}

/** The search state of a query string. Missing and invalid parameters get their defaults. */
export function readAddress(search: string): SearchAddress {
  const given = new URLSearchParams(search)
  const as = given.get('as')
  const page = Number(given.get('page'))
  return {
    mode: given.get('mode') === 'advanced' ? 'advanced' : 'quick',
    index: given.get('index') === 'history' ? 'history' : 'entities',
    q: given.get('q') ?? '',
    as: isIndicatorKind(as) ? as : null,
    dsl: given.get('dsl'),
    sort: given.get('sort') || DEFAULT_ADDRESS.sort,
    order: given.get('order') === 'asc' ? 'asc' : 'desc',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    limit: LIMITS.find((limit) => limit === Number(given.get('limit'))) ?? DEFAULT_ADDRESS.limit,
    after: given.get('after'),
  }
}

/** The address of a place, `/search` included. */
export function addressOf(address: Partial<SearchAddress>): string {
  const parameters = Object.entries({ ...DEFAULT_ADDRESS, ...address }).filter(
    ([name, value]) => value !== null && value !== DEFAULT_ADDRESS[name as keyof SearchAddress],
  )
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  return query === '' ? '/search' : `/search?${query}`
}
