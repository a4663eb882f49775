/** Alerts as the job stores them: with how far it was, so that each change counts once (ADR 280). */

import { type Kysely, sql } from 'kysely'
import type { FiredAlert } from '../../../../schemas/casework/alert.ts'
import { Refused, refusable } from '../../accounts/plan/member-quotas.ts'
import { acceptedMemberships } from '../../accounts/team/memberships.ts'
import type { Tables } from '../../tables/all-tables.ts'
import { enqueueAlerts, OWN_ALERTS } from '../deliveries/enqueue-alerts.ts'
import type { AlertProgress, AlertTopic, AlertWriter, StoredAlerts } from './port.ts'
import { publicPart, storePublicAlerts } from './public-alerts.ts'
import { alertColumns, inPortions, repeatedColumns, sweepAlerts, withdrawLatest } from './stored-alerts.ts'

// How far the job that fires alerts is, of each partition that it follows.

/** By source, as in `AlertProgress`; of `entity.changes` by default. */
async function positionsOf(
  db: Kysely<Tables>,
  partition: number,
  topic: AlertTopic = 'entity.changes',
): Promise<Map<number, number>> {
  if (topic === 'match.events') {
    const query = db.selectFrom('casework_match_positions').select('next_offset')
    const rows = await query.where('partition', '=', partition).execute()
    return new Map(rows.map((row) => [0, row.next_offset]))
  }
  const query = db.selectFrom('casework_alert_positions').select(['source', 'next_offset'])
  const rows = await query.where('partition', '=', partition).execute()
  return new Map(rows.map((row) => [row.source, row.next_offset]))
}

/** Throws Refused when the store has another position than the one that was gone on from. */
async function advance(tx: Kysely<Tables>, progress: AlertProgress): Promise<void> {
  for (const move of progress.moves) {
    const moved = progress.topic === 'match.events' ? ofMatches(progress, move) : ofChanges(progress, move)
    if ((await moved.execute(tx)).rows.length === 0) throw new Refused('moved')
  }
}

type Move = AlertProgress['moves'][number]

const ofChanges = ({ partition }: AlertProgress, { source, from, to }: Move) =>
  from === null
    ? sql`INSERT INTO casework_alert_positions (partition, source, next_offset)
          VALUES (${partition}, ${source}, ${to}) ON CONFLICT DO NOTHING RETURNING 1`
    : sql`UPDATE casework_alert_positions SET next_offset = ${to}
          WHERE partition = ${partition} AND source = ${source} AND next_offset = ${from} RETURNING 1`

const ofMatches = ({ partition }: AlertProgress, { from, to }: Move) =>
  from === null
    ? sql`INSERT INTO casework_match_positions (partition, next_offset)
          VALUES (${partition}, ${to}) ON CONFLICT DO NOTHING RETURNING 1`
    : sql`UPDATE casework_match_positions SET next_offset = ${to}
          WHERE partition = ${partition} AND next_offset = ${from} RETURNING 1`

const TABLE = 'casework_alerts'

export function kyselyAlertWriter(db: Kysely<Tables>): AlertWriter {
  return {
    positions: (partition, topic) => positionsOf(db, partition, topic),

    store: (write, progress, now) =>
      refusable<StoredAlerts, 'moved'>(db, async (tx) => {
        // First, so that of two who looked at the same changes one waits, and then finds that they were stored.
        await advance(tx, progress)
        const members = await ofMembers(tx, write.fired)
        const fired = members.filter(({ publicly }) => !publicly)
        const own = write.withdrawn.filter(({ publicly }) => !publicly)
        const withdrawn = await withdrawLatest(tx, TABLE, own, now)
        const made: string[] = []
        for (const some of inPortions(fired)) made.push(...(await upsert(tx, some, now)))
        // All at once: destinations are held in one order.
        await enqueueAlerts(tx, OWN_ALERTS, made, now)
        await storePublicAlerts(tx, publicPart({ ...write, fired: members }), now)
        return { made: made.length, repeated: fired.length - made.length, withdrawn }
      }),

    sweep: async (before, limit) =>
      (await sweepAlerts(db, TABLE, before, limit)) + (await sweepAlerts(db, 'casework_public_alerts', before, limit)),
  }
}

/**
 * Without those of users who left while the changes were looked at. Clean-up locks the customer for itself, so it comes
 * before this, which finds nobody then, or after it, and finds the alerts.
 */
async function ofMembers(tx: Kysely<Tables>, fired: readonly FiredAlert[]): Promise<FiredAlert[]> {
  if (fired.length === 0) return []
  const customers = [...new Set(fired.map(({ owner }) => owner.customerId))].sort()
  for (const some of inPortions(customers))
    await sql`SELECT id FROM customers WHERE id IN (${sql.join(some)}) ORDER BY id FOR KEY SHARE`.execute(tx)
  const users = [...new Set(fired.map(({ owner }) => owner.userId))]
  const members = new Map<string, string>()
  for (const some of inPortions(users)) {
    const query = acceptedMemberships(tx).select(['user_id', 'customer_id'])
    const found = await query.where('user_id', 'in', some).execute()
    for (const row of found) members.set(row.user_id, row.customer_id)
  }
  return fired.filter(({ owner }) => members.get(owner.userId) === owner.customerId)
}

/** Answers the ids of those that are new, in their order. An alert that its user has dealt with is new again when it repeats. */
async function upsert(tx: Kysely<Tables>, fired: readonly FiredAlert[], now: number): Promise<string[]> {
  const at = new Date(now)
  const rows = await tx
    .insertInto(TABLE)
    .values(
      fired.map((alert) => ({
        ...alertColumns(alert, at),
        readable_by: [...alert.readableBy],
        needs: [...(alert.needs ?? [])],
        partition: alert.partition,
        last_offset: alert.offset,
      })),
    )
    .onConflict((known) =>
      known.column('id').doUpdateSet({
        ...repeatedColumns(TABLE),
        readable_by: sql`excluded.readable_by`,
        needs: sql`excluded.needs`,
        partition: sql`excluded.partition`,
        last_offset: sql`excluded.last_offset`,
        state: sql`CASE casework_alerts.state WHEN 'handled' THEN 'new' ELSE casework_alerts.state END`,
      }),
    )
    .returning(['id', sql<boolean>`casework_alerts.xmax = 0`.as('made')])
    .execute()
  return rows.flatMap(({ id, made }) => (made ? [id] : []))
}
