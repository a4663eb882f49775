import type { FeedDelta } from '../../../schemas/feeds-out/delta.ts'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import type { FeedMember } from '../../../schemas/feeds-out/member.ts'
import { entityKey } from '../../../schemas/intelligence/state/entity-state.ts'
import { array, dateTime64, int8, string, table, uint8, uint64, uuid } from '../native/native.ts'
import { CLAIM, STATES } from '../sql/feeds-out/columns-sql.ts'

const SHOWN = {
  entity_id: string,
  type: string,
  value: string,
  reputation: int8,
  accuracy: uint8,
  tags: array(string),
  first_seen: dateTime64,
  last_seen: dateTime64,
}

/** A block of `feed_members`. */
export const membersBlock = () =>
  table({
    feed: uuid,
    epoch: uint64,
    key: uint64,
    version: uint64,
    state: uint8,
    ...SHOWN,
    leaves_at: dateTime64,
    reason: string,
    at: dateTime64,
    head: string,
  })

/** A block of `feed_deltas`. */
export const deltasBlock = () =>
  table({ feed: uuid, sequence: uint64, version: uint64, op: string, reason: string, at: dateTime64, ...SHOWN })

const shown = (item: FeedItem) => ({
  entity_id: item.entityId,
  type: item.type,
  value: item.value,
  reputation: item.reputation,
  accuracy: item.accuracy,
  tags: item.tags,
  first_seen: item.firstSeen,
  last_seen: item.lastSeen,
})

export const rowOfMember = (feed: string, epoch: number, version: bigint, { item, ...member }: FeedMember) => ({
  feed,
  epoch: BigInt(epoch),
  key: entityKey(item.entityId),
  version,
  state: STATES.indexOf(member.state),
  ...shown(item),
  leaves_at: member.leavesAt ?? 0,
  reason: member.reason,
  at: member.at,
  head: '',
})

const NO_ITEM: FeedItem = {
  entityId: '',
  type: '',
  value: '',
  reputation: 0,
  accuracy: 0,
  tags: [],
  firstSeen: 0,
  lastSeen: 0,
}

/** The head of a feed as a row of an epoch. */
export const rowOfHead = (epoch: number, version: bigint, head: FeedHead) => ({
  feed: head.feed.id,
  epoch: BigInt(epoch),
  key: 0n,
  version,
  state: 0,
  ...shown(NO_ITEM),
  leaves_at: 0,
  reason: '',
  at: head.at,
  head: JSON.stringify(head),
})

/** What says of a feed, or of all of them, that a write or a claim of this version, by this writer, was the last. */
export const rowOfClaim = (feed: string, version: bigint, writer: string) => ({
  feed,
  epoch: 0n,
  key: CLAIM,
  version,
  state: 0,
  ...shown(NO_ITEM),
  leaves_at: 0,
  reason: '',
  at: 0,
  head: writer,
})

export const rowOfDelta = (feed: string, version: bigint, { sequence, op, reason, at, item }: FeedDelta) => ({
  feed,
  sequence: BigInt(sequence),
  version,
  op,
  reason,
  at,
  ...shown(item),
})
