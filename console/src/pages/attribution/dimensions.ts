import type { FigureFilter } from '../../parts/figures/search-link.ts'

/** The types that have a place in the network and so are attributed. */
export const LOCATED_TYPES = ['ip', 'cidr'] as const

/** Which entities the page counts. `since`: last seen on this UTC day or later; null: at any time. */
export type Which = { malicious: boolean; since: string | null }

/** One line of a list. `organisation`: of an autonomous system, empty where none is known. */
export type Bucket = { key: string; count: number; organisation?: string }

/** What the page shows. */
export type Attribution = { country: Bucket[]; asn: Bucket[] }

export type Dimension = {
  id: 'country' | 'asn'
  title: string
  /** Heading of the names. */
  what: string
}

export const dimensions: readonly Dimension[] = [
  { id: 'country', title: 'Countries', what: 'Country' },
  { id: 'asn', title: 'Autonomous systems and organisations', what: 'System' },
]

/** Every entity that is attributed, as far as it is asked for. */
export const locatedEntities = ({ malicious, since }: Which): FigureFilter => ({
  types: LOCATED_TYPES,
  ...(malicious && { malicious }),
  ...(since !== null && { seen: { from: since } }),
})

/** What people read: `Germany`, `AS 64500, Example Net`. */
export function nameOf(dimension: Dimension, { key, organisation }: Bucket): string {
  if (dimension.id === 'country') return key
  return organisation ? `AS ${key}, ${organisation}` : `AS ${key}`
}

/** The entities behind one bar. */
export const entitiesAt = (dimension: Dimension, key: string, which: Which): FigureFilter => ({
  ...locatedEntities(which),
  [dimension.id]: key,
})
