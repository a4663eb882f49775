import { entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { Query } from '../../port.ts'
import { CLAIM, IN_ORDER, LEFT, LISTED, OF_EPOCH, READ_ITEM, READ_MEMBER } from './columns-sql.ts'

/** Reads of the lists of feeds (ADR 274); the tables are those of the home database. */

export const headsOfFeeds: Query = {
  sql: 'SELECT head FROM feed_members FINAL WHERE epoch = 0 AND key = 0',
  params: {},
}

/** The version of the last write or claim; 0: there was none. */
export const lastVersion: Query = {
  sql: 'SELECT max(version) AS last FROM feed_members WHERE epoch = 0',
  params: {},
}

/** The same for each of these feeds; `writer` of the last claim. */
export const lastVersions = (feeds: readonly string[]): Query => ({
  sql: `SELECT feed, max(version) AS last, argMaxIf(head, version, key = ${CLAIM}) AS writer FROM feed_members
    WHERE feed IN {feeds:Array(UUID)} AND epoch = 0 GROUP BY feed`,
  params: { feeds },
})

/** How many lists are held, by whom. */
export const heldFeeds: Query = {
  sql: `SELECT JSONExtractString(head, 'held', 'by') AS by, toUInt32(count()) AS feeds
    FROM feed_members FINAL WHERE epoch = 0 AND key = 0 AND JSONExtractUInt(head, 'epoch') > 0 AND by != '' GROUP BY by`,
  params: {},
}

export const headsOf = (feeds: readonly string[]): Query => ({
  sql: 'SELECT head FROM feed_members FINAL WHERE feed IN {feeds:Array(UUID)} AND epoch = 0 AND key = 0',
  params: { feeds },
})

export const membersOf = (feed: string, epoch: number, entityIds: readonly string[]): Query => ({
  sql: `SELECT ${READ_MEMBER} FROM feed_members FINAL
    WHERE ${OF_EPOCH} AND key IN {keys:Array(UInt64)} AND entity_id IN {ids:Array(String)}`,
  params: { feed, epoch, keys: entityIds.map(entityKey), ids: entityIds },
})

/** The last listed members, or the first of those that the cap leaves out. */
export const membersAtEnd = (feed: string, epoch: number, state: 'left' | 'listed', limit: number): Query => ({
  sql: `SELECT ${READ_MEMBER} FROM feed_members FINAL WHERE ${OF_EPOCH} AND state = ${state === 'left' ? LEFT : LISTED}
    ORDER BY ${state === 'left' ? IN_ORDER : 'reputation DESC, accuracy, last_seen, entity_id DESC'}
    LIMIT {limit:UInt32}`,
  params: { feed, epoch, limit },
})

/** What waits beside a list says the last word of its entities. */
const OF_HELD = `feed = {feed:UUID} AND entity_id != '' AND (epoch = {waiting:UInt64} OR (epoch = {epoch:UInt64}
      AND entity_id GLOBAL NOT IN (SELECT entity_id FROM feed_members WHERE feed = {feed:UUID} AND epoch = {waiting:UInt64})))`

export const membersLeaving = (
  feed: string,
  { epoch, waiting }: { epoch: number; waiting: number | null },
  until: number,
  limit: number,
): Query => ({
  sql: `SELECT ${READ_MEMBER} FROM feed_members FINAL
    WHERE ${waiting === null ? OF_EPOCH : OF_HELD}
      AND state >= ${LEFT} AND leaves_at > 0 AND leaves_at <= fromUnixTimestamp64Milli({until:Int64})
    ORDER BY leaves_at, entity_id LIMIT {limit:UInt32}`,
  params: { feed, epoch, waiting: waiting ?? 0, until, limit },
})

export const sizeOfEpoch = (feed: string, epoch: number): Query => ({
  sql: `SELECT countIf(state = ${LISTED}) AS items, countIf(state >= ${LEFT}) AS inside
    FROM feed_members FINAL WHERE ${OF_EPOCH}`,
  params: { feed, epoch },
})

/** What `listOf` gives: the head first, then the items in the order of the list; in the order of these columns. */
export type ListRow = [
  head: string,
  entityId: string,
  type: string,
  value: string,
  reputation: number,
  accuracy: number,
  tags: string[],
  first: string,
  last: string,
]

/** One statement, so that the list is that of the sequence in its head. */
export const listOf = (feed: string, epoch: number): Query => ({
  sql: `SELECT head, ${READ_ITEM} FROM feed_members FINAL
    WHERE feed = {feed:UUID} AND epoch = {epoch:UInt64} AND (entity_id = '' OR state = ${LISTED})
    ORDER BY entity_id != '', ${IN_ORDER}`,
  params: { feed, epoch },
})

/** The list as a file of the store itself, with the columns of the other formats. */
export const fileOfList = (feed: string, epoch: number): Query => ({
  sql: `SELECT entity_id AS id, type, value, reputation, accuracy, tags, first_seen AS firstSeen, last_seen AS lastSeen
    FROM feed_members FINAL WHERE ${OF_EPOCH} AND state = ${LISTED} ORDER BY ${IN_ORDER}`,
  params: { feed, epoch },
})

/** `stored`: unix seconds. */
export type PassedRow = { entity_id: string; added: number; stored: number }

/** The last comings and goings first. */
export const passedOf = (
  feed: string,
  { since, version, to }: { since: number; version: bigint; to: number },
  limit: number,
): Query => ({
  sql: `SELECT entity_id, op = 'add' AS added, toUnixTimestamp(stored_at) AS stored FROM feed_deltas FINAL
    WHERE feed = {feed:UUID} AND stored_at > fromUnixTimestamp64Milli({since:Int64}) AND version > {version:UInt64}
      AND sequence <= {to:UInt64} AND op != 'update'
    ORDER BY sequence DESC LIMIT {limit:UInt32}`,
  params: { feed, since, version, to, limit },
})

export const deltasOf = (feed: string, after: number, to: number, limit: number): Query => ({
  sql: `SELECT sequence, op, reason, toUnixTimestamp64Milli(at) AS moment, ${READ_ITEM} FROM feed_deltas FINAL
    WHERE feed = {feed:UUID} AND sequence > {after:UInt64} AND sequence <= {to:UInt64}
    ORDER BY sequence LIMIT {limit:UInt32}`,
  params: { feed, after, to, limit },
})
