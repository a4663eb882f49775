import type { paths } from '../../api/schema.d.ts'
import type { FigureFilter } from '../../parts/figures/search-link.ts'

export type AttributionAnswer =
  paths['/api/analytics/v1/attribution']['get']['responses'][200]['content']['application/json']

/** The types that have a place in the network and so are attributed. */
export const LOCATED_TYPES = ['ip', 'cidr'] as const

export type Dimension = {
  id: 'country' | 'asn' | 'aso'
  title: string
  /** Heading of the names. */
  what: string
  buckets: (answer: AttributionAnswer) => { key: string; count: number }[]
}

export const dimensions: readonly Dimension[] = [
  { id: 'country', title: 'Countries', what: 'Country', buckets: (answer) => answer.by_country },
  { id: 'asn', title: 'Autonomous systems', what: 'ASN', buckets: (answer) => answer.by_asn },
  { id: 'aso', title: 'Organisations', what: 'Organisation', buckets: (answer) => answer.by_aso },
]

/** Every entity that is attributed, or only the malicious ones. */
export const locatedEntities = (malicious: boolean): FigureFilter =>
  malicious ? { types: LOCATED_TYPES, malicious } : { types: LOCATED_TYPES }

/** The displayed key: `AS64500` for systems; other keys are unchanged. */
export const nameOf = (dimension: Dimension, key: string): string => (dimension.id === 'asn' ? `AS${key}` : key)

/** The entities behind one bar. */
export const entitiesAt = (dimension: Dimension, key: string, malicious: boolean): FigureFilter => ({
  ...locatedEntities(malicious),
  [dimension.id]: key,
})
