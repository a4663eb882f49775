import type { DeltaReason } from './delta.ts'
import type { FeedItem } from './formats/format.ts'

/** `left`: selected, but left out by the cap. `gone`: not selected any more. */
export type MemberState = 'listed' | 'left' | 'gone'

/** An entity that a feed selects, or selected. Times are unix milliseconds. */
export type FeedMember = {
  /** As it is shown, or was when it went. */
  item: FeedItem
  state: MemberState
  /** When the time alone takes it out; null: never. */
  leavesAt: number | null
  /** Of the last step that moved it. */
  reason: DeltaReason
  at: number
}
