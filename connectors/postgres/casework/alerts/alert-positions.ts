/** How far the job that fires alerts is, of each partition that it follows. */

import { type Kysely, sql } from 'kysely'
import { Refused } from '../../accounts/plan/member-quotas.ts'
import type { Tables } from '../../tables/tables.ts'
import type { AlertProgress, AlertTopic } from './port.ts'

/** By source, as in `AlertProgress`; of `entity.changes` by default. */
export async function positionsOf(
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
export async function advance(tx: Kysely<Tables>, progress: AlertProgress): Promise<void> {
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
