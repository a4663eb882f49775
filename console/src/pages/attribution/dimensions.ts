import type { paths } from '../../api/schema.d.ts'
import type { Figure } from '../../parts/figures/search-link.ts'

export type AttributionAnswer =
  paths['/api/analytics/v1/attribution']['get']['responses'][200]['content']['application/json']

/** What has a place in the network: the types that are attributed. */
export const LOCATED = ['ip', 'cidr'] as const

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
export const attributed = (malicious: boolean): Figure =>
  malicious ? { types: LOCATED, malicious } : { types: LOCATED }

/** As people write it: `AS64500`; other keys as they are. */
export const nameOf = (dimension: Dimension, key: string): string => (dimension.id === 'asn' ? `AS${key}` : key)

/** The entities behind one bar. */
export const narrowed = (dimension: Dimension, key: string, malicious: boolean): Figure => ({
  ...attributed(malicious),
  [dimension.id]: key,
})
