import { compileSelector } from '../../../../schemas/intelligence/selectors/compile.ts'
import type { Query } from '../../port.ts'
import { binder } from '../search/binder.ts'
import { ID } from '../search/entity-surface.ts'
import { IN_ORDER, LEFT, LISTED, LONG, MEMBER, OF_EPOCH, SHOWN } from './columns-sql.ts'
import { type Chosen, selected } from './selected.ts'

/**
 * Lists made anew within the store, however long they are (ADR 274). Each statement may run twice: a row of a higher
 * version takes the place of another.
 */

/** A place that is filled: `home` is the database of the lists. */
export type Place = { home: string; feed: string; epoch: number; version: bigint }

type Moved = { reason: string; at: number }

const NEVER = "toDateTime64(0, 3, 'UTC')"

/** The present views of a reader that a selector holds for at a moment. Runs in the database of the entities. */
export function filled(
  { home, feed, epoch, version }: Place,
  chosen: Chosen,
  { reason, at }: { reason: string; at: number },
): Query {
  const b = binder()
  const views = selected(chosen, b)
  const { window } = compileSelector(chosen.selector).conditions
  const leaves = window === null ? NEVER : `last_seen + toIntervalMillisecond(${b.bind(window, 'Int64')})`
  const sql = `INSERT INTO ${home}.feed_members (${MEMBER})
    SELECT ${b.bind(feed, 'UUID')}, ${b.bind(epoch, 'UInt64')}, key, ${b.bind(version, 'UInt64')}, ${LISTED},
      ${ID} AS entity_id, type, value, reputation, accuracy, tags, first_seen, last_seen, ${leaves},
      ${b.bind(reason, 'String')}, fromUnixTimestamp64Milli(${b.bind(at, 'Int64')})
    FROM ${views} ${LONG}`
  return { sql, params: b.params }
}

/** An epoch made of another one and of what waited beside it, which says the last word of its entities. */
export const merged = (
  { feed, epoch, version }: Omit<Place, 'home'>,
  from: { epoch: number; waiting: number },
  cap: number | null,
  at: number,
): Query => ({
  sql: `INSERT INTO feed_members (${MEMBER})
    SELECT feed, {to:UInt64}, key, {version:UInt64}, multiIf(state = 0, 0, place <= {cap:UInt64}, ${LISTED}, ${LEFT}) AS next,
      ${SHOWN}, leaves_at,
      if(epoch = {waiting:UInt64} OR next = state, reason, 'cap'),
      if(epoch = {waiting:UInt64} OR next = state, at, fromUnixTimestamp64Milli({at:Int64}))
    FROM (
      SELECT *, row_number() OVER (PARTITION BY state > 0 ORDER BY ${IN_ORDER}) AS place
      FROM (
        SELECT feed, epoch, key, state, ${SHOWN}, leaves_at, reason, at FROM feed_members FINAL
        WHERE feed = {feed:UUID} AND (epoch = {waiting:UInt64} OR (epoch = {from:UInt64} AND state > 0)) AND entity_id != ''
        ORDER BY key, entity_id, epoch = {waiting:UInt64} DESC LIMIT 1 BY key, entity_id
      )
    ) ${LONG}`,
  params: { feed, to: epoch, version, from: from.epoch, waiting: from.waiting, cap: cap ?? 2 ** 53, at },
})

/** What stands behind the cap of an epoch is left out of its list. */
export const ranked = ({ feed, epoch, version }: Omit<Place, 'home'>, cap: number): Query => ({
  sql: `INSERT INTO feed_members (${MEMBER})
    SELECT feed, epoch, key, {version:UInt64}, ${LEFT}, ${SHOWN}, leaves_at, reason, at
    FROM (SELECT *, row_number() OVER (ORDER BY ${IN_ORDER}) AS place FROM feed_members FINAL WHERE ${OF_EPOCH} AND state = ${LISTED})
    WHERE place > {cap:UInt64} ${LONG}`,
  params: { feed, epoch, version, cap },
})

const columnsOf = (prefix: string, epoch: string): string =>
  ['type', 'value', 'reputation', 'accuracy', 'tags', 'first_seen', 'last_seen', 'reason', 'at']
    .map((name) => `anyIf(${name}, epoch = {${epoch}:UInt64}) AS ${prefix}_${name}`)
    .join(', ')

const shownOf = (name: string): string => `if(now, n_${name}, o_${name}) AS ${name}`

/**
 * How one epoch becomes another: what leaves the list first, then what comes or changes, both in the order of the list.
 * Numbered in the store, after `sequence`.
 */
export const compared = (
  { feed, epoch, version }: Omit<Place, 'home'>,
  old: number,
  sequence: number,
  { reason, at }: Moved,
): Query => ({
  sql: `INSERT INTO feed_deltas (feed, sequence, version, op, reason, at, ${SHOWN})
    SELECT {feed:UUID}, {sequence:UInt64} + row_number() OVER (ORDER BY now, ${IN_ORDER}), {version:UInt64},
      multiIf(NOT now, 'remove', was, 'update', 'add'),
      if(known, n_reason, {reason:String}), if(known, n_at, fromUnixTimestamp64Milli({at:Int64})), ${SHOWN}
    FROM (
      SELECT entity_id, now, was, known, n_reason, n_at,
        ${['type', 'value', 'reputation', 'accuracy', 'tags', 'first_seen', 'last_seen'].map(shownOf).join(', ')}
      FROM (
        SELECT key, entity_id, countIf(epoch = {epoch:UInt64}) > 0 AS known,
          countIf(epoch = {epoch:UInt64} AND state = ${LISTED}) > 0 AS now,
          countIf(epoch = {old:UInt64} AND state = ${LISTED}) > 0 AS was,
          ${columnsOf('n', 'epoch')}, ${columnsOf('o', 'old')}
        FROM feed_members FINAL
        WHERE feed = {feed:UUID} AND epoch IN ({epoch:UInt64}, {old:UInt64}) AND entity_id != ''
        GROUP BY key, entity_id
        HAVING now != was OR (now AND (n_reputation, n_accuracy, n_tags) != (o_reputation, o_accuracy, o_tags))
      )
    ) ${LONG}`,
  params: { feed, epoch, version, old, sequence, reason, at },
})

/** How many deltas a comparison wrote. */
export const countOfDeltas = (feed: string, after: number, version: bigint): Query => ({
  sql: `SELECT count() AS n FROM feed_deltas FINAL
    WHERE feed = {feed:UUID} AND sequence > {after:UInt64} AND version = {version:UInt64}`,
  params: { feed, after, version },
})
