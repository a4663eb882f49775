import type { FaultsOf } from '../field-faults.ts'

/** Which parameter of the API a field of the selector builder is. */
export const SELECTOR_PARAMS = {
  types: 'selector.types',
  worst: 'selector.reputation.gte',
  best: 'selector.reputation',
  accuracy: 'selector.accuracy.gte',
  accuracyTo: 'selector.accuracy',
  anyTags: 'selector.tags.any',
  allTags: 'selector.tags.all',
  noTags: 'selector.tags.none',
  values: 'selector.value.in',
  prefix: 'selector.value.prefix',
  suffix: 'selector.value.suffix',
  cidr: 'selector.cidr',
  country: 'selector.country',
  asn: 'selector.asn',
  seenWithin: 'selector.seenWithin',
} as const

export type SelectorFaults = FaultsOf<typeof SELECTOR_PARAMS>
