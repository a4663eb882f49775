import type { FeedItem } from './formats/format.ts'

/** What of an item its place in the list follows from. */
export type Placed = Pick<FeedItem, 'entityId' | 'reputation' | 'accuracy' | 'lastSeen'>

/**
 * The order of a list (decisions 11.2): worst reputation, then highest accuracy, then last seen newest, then id. A device
 * that cuts a list keeps what matters.
 */
export const inListOrder = (a: Placed, b: Placed): number =>
  a.reputation - b.reputation ||
  b.accuracy - a.accuracy ||
  b.lastSeen - a.lastSeen ||
  (a.entityId < b.entityId ? -1 : Number(a.entityId > b.entityId))
