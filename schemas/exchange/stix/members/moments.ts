import type { StixItem } from '../item.ts'

/** When an entity was seen, in unix milliseconds; never backwards. */
export type Moments = { first: number; last: number }

/** When an item was seen. STIX refuses an end before the beginning. */
export const momentsOf = ({ firstSeen, lastSeen }: StixItem): Moments => ({
  first: firstSeen,
  last: Math.max(firstSeen, lastSeen),
})
