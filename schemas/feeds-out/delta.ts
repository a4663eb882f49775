import { CHANGE_REASONS } from '../intelligence/state/view-change.ts'
import type { FeedItem } from './formats/format.ts'

/** Why an item comes, changes or goes (decisions 11.3). */
export const DELTA_REASONS = [...CHANGE_REASONS, 'selector', 'aged', 'cap'] as const

export type DeltaReason = (typeof DELTA_REASONS)[number]

export type DeltaOp = 'add' | 'update' | 'remove'

/** One step of a list: `sequence` rises by one in each feed and has no gaps. */
export type FeedDelta = {
  sequence: number
  op: DeltaOp
  reason: DeltaReason
  /** Unix milliseconds: of the record, of the change of the feed, or when something fell due. */
  at: number
  /** Of a removal, as it was last shown. */
  item: FeedItem
}
