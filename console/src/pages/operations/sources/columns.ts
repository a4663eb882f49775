import type { paths } from '../../../api/schema.d.ts'
import { formatCount } from '../../../parts/format/numbers.ts'

type Get = paths['/api/analytics/v1/sources']['get']
export type Scorecard = Get['responses'][200]['content']['application/json']['items'][number]
export type Sort = NonNullable<NonNullable<Get['parameters']['query']>['sort']>

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`

/** Hours as people say them. */
export function formatLead(hours: number | null): string {
  if (hours === null) return '—'
  if (hours < 1) return `${Math.round(hours * 60)} min`
  return hours < 48 ? `${hours.toFixed(1)} h` : `${(hours / 24).toFixed(1)} d`
}

type Column = { sort: Sort; label: string; about: string; text: (card: Scorecard) => string }

/** The figures that sources are compared by (docs/use/sources.md), in the order of the table. */
export const COLUMNS: readonly Column[] = [
  {
    sort: 'volume',
    label: 'Reports',
    about: 'history records in the time range',
    text: (card) => formatCount(card.volume),
  },
  {
    sort: 'entities',
    label: 'Entities',
    about: 'entities that the source has reported',
    text: (card) => formatCount(card.entities),
  },
  {
    sort: 'malicious',
    label: 'Malicious',
    about: 'entities with a negative reputation in the latest report of the source',
    text: (card) => formatCount(card.malicious),
  },
  {
    sort: 'benign',
    label: 'Benign',
    about: 'entities with a positive reputation in the latest report of the source',
    text: (card) => formatCount(card.benign),
  },
  {
    sort: 'uniqueness',
    label: 'Unique',
    about: 'share of its entities that no other source has reported',
    text: (card) => percent(card.uniqueness),
  },
  {
    sort: 'first_share',
    label: 'First',
    about: 'share of the entities in common with other sources that it reported first',
    text: (card) => percent(card.first_share),
  },
  {
    sort: 'lead_hours',
    label: 'Lead',
    about: 'median lead over the next source, where it was first',
    text: (card) => formatLead(card.lead_hours),
  },
  {
    sort: 'agreed_share',
    label: 'Agreed',
    about: 'share of its malicious claims that another source confirmed later',
    text: (card) => percent(card.agreed_share),
  },
  {
    sort: 'contradicted_share',
    label: 'Contradicted',
    about: 'share of its malicious claims that another source called benign later',
    text: (card) => percent(card.contradicted_share),
  },
  {
    sort: 'overlap_well_known',
    label: 'On well-known',
    about: 'share of its malicious claims about well-known or covered entities: likely false positives',
    text: (card) => percent(card.overlap_well_known),
  },
  {
    sort: 'freshness',
    label: 'Fresh',
    about: 'average remaining weight of its claims: full when new, half after each half-life',
    text: (card) => percent(card.freshness),
  },
]

export const isSort = (name: string | null): name is Sort =>
  name === 'last_report' || COLUMNS.some(({ sort }) => sort === name)

const KINDS: Readonly<Record<string, string>> = {
  feed: 'feeds',
  customer: 'customers',
  user: 'users',
  scan: 'scans',
  trusted: 'trusted sources',
}

/** The name of a line: the public name of a source, or one name for all other sources of its kind. */
export const nameOf = ({ source, kind }: Pick<Scorecard, 'source' | 'kind'>): string =>
  source?.replace(`${kind}:`, '') ?? `All other ${KINDS[kind] ?? kind}`
