import type { DeltaOp, FeedDelta } from '../../../../schemas/feeds-out/delta.ts'
import { DELTA_REASONS, type DeltaReason } from '../../../../schemas/feeds-out/delta.ts'
import type { FeedItem } from '../../../../schemas/feeds-out/formats/format.ts'
import type { FeedMember, MemberState } from '../../../../schemas/feeds-out/member.ts'

/** Members by their number in the store. */
export const STATES: readonly MemberState[] = ['gone', 'left', 'listed']
export const LEFT = 1
export const LISTED = 2

/** The key of a claim among the rows of epoch 0, and the feed whose claim stands for all of them. */
export const CLAIM = 1n
export const ALL_FEEDS = '00000000-0000-0000-0000-000000000000'

/** What a feed shows of an entity. */
export const SHOWN = 'entity_id, type, value, reputation, accuracy, tags, first_seen, last_seen'
/** The columns of `feed_members`, the head aside. */
export const MEMBER = `feed, epoch, key, version, state, ${SHOWN}, leaves_at, reason, at`
/** The order of a list (decisions 11.2). */
export const IN_ORDER = 'reputation, accuracy DESC, last_seen DESC, entity_id'

/** Rows of one epoch of a feed, heads aside; `feed` and `epoch` are bound. */
export const OF_EPOCH = "feed = {feed:UUID} AND epoch = {epoch:UInt64} AND entity_id != ''"

/** For statements over whole lists: one of millions of items takes minutes on a busy machine. */
export const LONG =
  'SETTINGS max_execution_time = 3600, insert_deduplicate = 0, max_bytes_before_external_sort = 268435456, max_bytes_before_external_group_by = 268435456'

const ITEM = `entity_id, type, value, reputation, accuracy, tags,
  toUnixTimestamp64Milli(first_seen) AS first, toUnixTimestamp64Milli(last_seen) AS last`

/** What follows SELECT for an item, and for a member; times are unix milliseconds. */
export const READ_ITEM = ITEM
export const READ_MEMBER = `${ITEM}, state, reason, toUnixTimestamp64Milli(leaves_at) AS leaves, toUnixTimestamp64Milli(at) AS moved`

export type FeedItemRow = {
  entity_id: string
  type: string
  value: string
  reputation: number
  accuracy: number
  tags: string[]
  first: string
  last: string
}

export type FeedMemberRow = FeedItemRow & { state: number; reason: string; leaves: string; moved: string }

export const itemOfRow = (row: FeedItemRow): FeedItem => ({
  entityId: row.entity_id,
  type: row.type,
  value: row.value,
  reputation: row.reputation,
  accuracy: row.accuracy,
  tags: row.tags,
  firstSeen: Number(row.first),
  lastSeen: Number(row.last),
})

export const reasonOf = (text: string): DeltaReason => DELTA_REASONS.find((reason) => reason === text) ?? 'reported'

export const memberOfRow = (row: FeedMemberRow): FeedMember => ({
  item: itemOfRow(row),
  state: STATES[row.state]!,
  leavesAt: Number(row.leaves) || null,
  reason: reasonOf(row.reason),
  at: Number(row.moved),
})

/** A row of the deltas of a list. */
export type FeedDeltaRow = FeedItemRow & { sequence: string; op: DeltaOp; reason: string; moment: string }

export const deltaOfRow = (row: FeedDeltaRow): FeedDelta => ({
  sequence: Number(row.sequence),
  op: row.op,
  reason: reasonOf(row.reason),
  at: Number(row.moment),
  item: itemOfRow(row),
})
