import type { Query } from '../../port.ts'
import { ALL_FEEDS, LEFT, LONG, MEMBER, OF_EPOCH, SHOWN } from './columns-sql.ts'

/** The epochs in which members of feeds are stored (ADR 274). */

export type EpochRow = { feed: string; epoch: string; gone: string }

/** Every epoch that has rows, of feeds that are gone too; not the rows that say who may write. `gone` counts what was not merged yet more than once. */
export const storedEpochs: Query = {
  sql: `SELECT feed, epoch, countIf(state = 0) AS gone FROM feed_members
    WHERE feed != {claims:UUID} GROUP BY feed, epoch`,
  params: { claims: ALL_FEEDS },
}

/**
 * An epoch made of another one without its members that are gone.
 * @param from `beside`: the epoch of a list that is held, of which what is copied says what went; null: it is a list itself
 */
export const copied = (
  { feed, epoch, version }: { feed: string; epoch: number; version: bigint },
  from: { epoch: number; beside: number | null },
): Query => {
  const went = `OR (key, entity_id) GLOBAL IN (SELECT key, entity_id FROM feed_members FINAL
      WHERE feed = {feed:UUID} AND epoch = {beside:UInt64} AND state >= ${LEFT})`
  return {
    sql: `INSERT INTO feed_members (${MEMBER})
    SELECT feed, {to:UInt64}, key, {version:UInt64}, state, ${SHOWN}, leaves_at, reason, at FROM feed_members FINAL
    WHERE ${OF_EPOCH} AND (state >= ${LEFT} ${from.beside === null ? '' : went}) ${LONG}`,
    params: { feed, to: epoch, version, epoch: from.epoch, beside: from.beside ?? 0 },
  }
}

/**
 * Removes the epochs of a feed below one, these aside.
 * @param table of members, as the store removes from it (`storedTable`)
 */
export const forgotten = (table: string, feed: string, before: number, but: readonly number[]): Query => ({
  sql: `DELETE FROM ${table}
    WHERE feed = {feed:UUID} AND epoch < {before:UInt64} AND epoch NOT IN {but:Array(UInt64)}`,
  params: { feed, before, but },
})

/** Removes all of a feed that one of these tables has. */
export const removed = (table: string, feed: string): Query => ({
  sql: `DELETE FROM ${table} WHERE feed = {feed:UUID}`,
  params: { feed },
})
