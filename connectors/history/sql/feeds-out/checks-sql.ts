import type { Query } from '../../port.ts'
import { binder } from '../search/binder.ts'
import { ID } from '../search/entity-surface.ts'
import { LEFT, LISTED, LONG, OF_EPOCH } from './columns-sql.ts'
import { type Chosen, selected } from './selected.ts'

/** Whether what is stored of a list is right (ADR 274). Nothing is written. */

export type DifferenceRow = { entity_id: string; difference: string }

/**
 * Where members and the present views that the selector holds for differ, by entity id. Runs in the database of the
 * entities; `home` is that of the lists. The times of a member may be of before a sighting that changed nothing else
 * (ADR 271), so they are not compared.
 */
export function differencesOf(
  { home, feed, epoch }: { home: string; feed: string; epoch: number },
  chosen: Chosen,
  limit: number,
): Query {
  const b = binder()
  const views = selected(chosen, b)
  const sql = `SELECT id AS entity_id, multiIf(NOT known, 'missing', NOT chosen, 'extra', 'other') AS difference
    FROM (
      SELECT id, countIf(stored = 1) > 0 AS known, countIf(stored = 0) > 0 AS chosen, uniqExact(shown) AS shapes
      FROM (
        SELECT 1 AS stored, entity_id AS id, (reputation, accuracy, arraySort(tags)) AS shown
        FROM ${home}.feed_members FINAL WHERE ${OF_EPOCH} AND state >= ${LEFT}
        UNION ALL
        SELECT 0 AS stored, ${ID} AS id, (reputation, accuracy, arraySort(tags)) AS shown FROM ${views}
      )
      GROUP BY id HAVING known != chosen OR shapes > 1
    )
    ORDER BY entity_id LIMIT ${b.bind(limit, 'UInt32')} ${LONG}`
  return { sql, params: Object.assign({ feed, epoch }, b.params) }
}

/**
 * The members of an epoch beside its head, of one statement, as both go on. `misplaced` 1: the cap leaves out a member that
 * stands before a listed one. `head` is empty when there is no such epoch.
 */
export type ShapeRow = { head: string; items: string; inside: string; misplaced: number }

const PLACE = '(reputation, -accuracy, -toUnixTimestamp64Milli(last_seen), entity_id)'

export const shapeOf = (feed: string, epoch: number): Query => ({
  sql: `SELECT anyIf(f.head, entity_id = '') AS head, countIf(state = ${LISTED}) AS items, countIf(state >= ${LEFT}) AS inside,
      items > 0 AND inside > items AND maxIf(${PLACE}, state = ${LISTED}) > minIf(${PLACE}, state = ${LEFT}) AS misplaced
    FROM feed_members AS f FINAL WHERE feed = {feed:UUID} AND epoch = {epoch:UInt64}`,
  params: { feed, epoch },
})

export type SequenceRow = { n: string; first: string; last: string }

/** The deltas that are kept: without a gap, `n` is `last - first + 1`. */
export const sequenceOf = (feed: string, until: number): Query => ({
  sql: `SELECT count() AS n, min(sequence) AS first, max(sequence) AS last FROM feed_deltas FINAL
    WHERE feed = {feed:UUID} AND sequence <= {until:UInt64}`,
  params: { feed, until },
})
