import { definitions } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import { fieldOf, sortFieldOf } from '../../../../../schemas/intelligence/search/fields.ts'
import type { Index } from './address.ts'

export type FieldKind = 'keyword' | 'text' | 'number' | 'date' | 'boolean'

const RECORD = ['type', 'reputation', 'accuracy', 'tags', '@timestamp', 'lastSeen', 'wellKnown', 'entityID', 'id']
const OF: Readonly<Record<Index, readonly string[]>> = {
  entities: ['bestReputation', 'worstReputation', 'country', 'asn', 'aso'],
  history: ['userID'],
}
const NAMES = definitions()
  .map(({ type }) => `attributes.${type}`)
  .sort()

/** The fields that a clause may use, the most used first. */
export const conditionFields = (index: Index): { group: string; items: string[] }[] => [
  { group: 'Record', items: [...RECORD, ...OF[index]] },
  { group: 'Attributes', items: ['attributes.*', ...NAMES] },
]

/** The fields that results can be sorted by. */
export const sortFields = (index: Index): { group: string; items: string[] }[] =>
  conditionFields(index).map(({ group, items }) => ({
    group,
    items: items.filter((name) => !('reason' in sortFieldOf(name, index))),
  }))

/** The field that results were sorted by, or the usual one where these have none of that name. */
export const sortFieldFor = (index: Index, sort: string): string =>
  'reason' in sortFieldOf(sort, index) ? 'lastSeen' : sort

/** The fields that can be aggregated. */
export const aggregationFields = (index: Index, kinds: readonly FieldKind[]): { group: string; items: string[] }[] =>
  conditionFields(index).map(({ group, items }) => ({
    group,
    items: items.filter((name) => name !== 'attributes.*' && kinds.includes(kindOf(name, index) ?? 'text')),
  }))

/** null: there is no such field. */
export function kindOf(name: string, index: Index): FieldKind | null {
  const field = fieldOf(name, index)
  return 'reason' in field ? null : field.kind
}
