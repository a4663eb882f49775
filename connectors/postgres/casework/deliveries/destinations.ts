/** Destinations as SQL: every question names the owner, so another one's destination is none. */

import { type Kysely, sql } from 'kysely'
import { entryOf, type Tiers, tierOf, UNLIMITED } from '../../../../schemas/accounts/tiers/tiers.ts'
import { MAX_DESTINATIONS } from '../../../../schemas/casework/deliveries/destination.ts'
import type { Owner } from '../../../../schemas/casework/owner.ts'
import { holdCustomer, holdMember, Refused, refusable } from '../../accounts/plan/member-quotas.ts'
import { countDestinations } from '../../accounts/plan/quota-store.ts'
import type { Tables } from '../../tables/all-tables.ts'
import { recordsOf } from '../casework-rows.ts'
import {
  changedColumns,
  changedQueue,
  destinationAt,
  destinationOf,
  destinationRow,
  destinationsOf,
  queueRow,
  receiverOf,
  SHOWN,
} from './destination-rows.ts'
import type { Delivery, Destination, Destinations, NewDestination } from './port.ts'

/** What the owner of a destination sees of its deliveries, and asks for again. */
type Row = {
  id: string
  alert_id: string
  state: 'fresh' | 'trying' | 'delivered' | 'dead' | 'skipped'
  attempts: number
  next_at: Date
  last_error: string | null
  note: string | null
  digest_id: string | null
  created_at: Date
}

/**
 * An alert up to `begun_to` that was not begun by itself is in the digest whose range it lies in: that is the delivery.
 * Digests that were forgotten leave it as it is.
 */
const FARES = sql`
  LEFT JOIN LATERAL (
    SELECT g.id, g.message_id, g.state, g.attempts, g.next_at, g.last_error, g.note FROM deliveries AS g
    WHERE m.state = 'fresh' AND g.queue_id = m.queue_id AND g.to_seq >= m.seq AND g.after_seq < m.seq
    ORDER BY g.to_seq LIMIT 1
  ) AS g ON true`

async function listDeliveries(
  db: Kysely<Tables>,
  owner: Owner,
  id: string,
  { after, limit, onlyPublic = false }: { after: string | null; limit: number; onlyPublic?: boolean },
): ReturnType<Destinations['deliveries']> {
  const there = await destinationAt(db, owner, id).select('alert_destinations.id').executeTakeFirst()
  if (there === undefined) return null
  const { rows } = await sql<Row>`
    SELECT m.id, m.alert_id, coalesce(g.state, m.state) AS state, coalesce(g.attempts, m.attempts) AS attempts,
      coalesce(g.next_at, greatest(m.next_at, q.gather_until)) AS next_at, coalesce(g.last_error, m.last_error) AS last_error,
      coalesce(g.note, m.note) AS note, g.message_id AS digest_id, m.created_at
    FROM deliveries AS m JOIN delivery_queues AS q ON q.id = m.queue_id ${FARES}
    WHERE m.queue_id = ${id} AND m.alert_id IS NOT NULL
      AND (${after}::uuid IS NULL OR m.seq < (SELECT seq FROM deliveries WHERE id = ${after}::uuid AND queue_id = ${id}))
      AND ${onlyPublic ? sql`EXISTS (SELECT FROM casework_public_alerts AS p WHERE p.id = m.alert_id)` : sql`true`}
    ORDER BY m.seq DESC LIMIT ${limit + 1}`.execute(db)
  const page = rows.slice(0, limit).map(deliveryOf)
  return { deliveries: page, next: rows.length > limit ? page.at(-1)!.id : null }
}

const deliveryOf = (row: Row): Delivery => {
  const state = stateOf(row)
  return {
    id: row.id,
    alertId: row.alert_id,
    state,
    attempts: row.attempts,
    nextAt: state === 'pending' || state === 'retrying' ? row.next_at.getTime() : null,
    lastError: row.last_error,
    note: row.note,
    digestId: row.digest_id,
    createdAt: row.created_at.getTime(),
  }
}

function stateOf({ state, attempts }: Row): Delivery['state'] {
  if (state === 'fresh') return 'pending'
  if (state === 'trying') return attempts === 0 ? 'pending' : 'retrying'
  return state
}

/** Later alerts go on meanwhile: it was passed, or it holds them back no longer than before. */
async function retryDelivery(
  db: Kysely<Tables>,
  owner: Owner,
  id: string,
  now: number,
  onlyPublic = false,
): ReturnType<Destinations['retry']> {
  const at = new Date(now)
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string; queue_id: string; state: Row['state']; public_only: boolean }>`
      SELECT coalesce(g.id, m.id) AS id, m.queue_id, coalesce(g.state, m.state) AS state, d.public_only
      FROM deliveries AS m JOIN delivery_queues AS q ON q.id = m.queue_id
        JOIN alert_destinations AS d ON d.id = q.id ${FARES}
      WHERE m.id = ${id} AND d.user_id = ${owner.userId} AND d.customer_id = ${owner.customerId}
      FOR NO KEY UPDATE OF q`.execute(tx)
    const found = rows[0]
    if (found === undefined) return null
    if (onlyPublic && !found.public_only) return 'not public'
    if (found.state === 'delivered') return 'delivered'
    if (found.state === 'fresh') return 'untried'
    await sql`
      UPDATE deliveries SET next_at = ${at}, state = 'trying', passed = passed OR state <> 'trying',
        attempts = CASE WHEN state = 'trying' THEN attempts ELSE 0 END, finished_at = null
      WHERE id = ${found.id} AND state <> 'delivered'`.execute(tx)
    await tx.updateTable('delivery_queues').set({ due_at: at }).where('id', '=', found.queue_id).execute()
    return 'retried'
  })
}

/** As many as one answer should hold, whatever a tiers file allows. */
const MAX_LISTED = 1_000

export function kyselyDestinations(db: Kysely<Tables>, tiers: Tiers): Destinations {
  const update = (owner: Owner, id: string) =>
    db
      .updateTable('alert_destinations')
      .where('id', '=', id)
      .where('user_id', '=', owner.userId)
      .where('customer_id', '=', owner.customerId)

  return {
    create: (given) =>
      refusable<'created', 'full' | 'no member' | 'no watchlist'>(db, async (tx) => {
        await takeDestination(tx, tiers, given.owner)
        await mustBeOwn(tx, given.owner, given.watchlists)
        await insertDestination(tx, given)
        return 'created'
      }),

    async list(owner) {
      const rows = await destinationsOf(db, owner).select(SHOWN).orderBy('id').limit(MAX_LISTED).execute()
      return rows.map(destinationOf)
    },

    async destination(owner, id) {
      const row = await destinationAt(db, owner, id).select(SHOWN).executeTakeFirst()
      return row === undefined ? null : destinationOf(row)
    },

    change: (owner, id, change) =>
      refusable<Destination | null, 'no watchlist'>(db, async (tx) => {
        await holdCustomer(tx, owner.customerId, 'share')
        await mustBeOwn(tx, owner, change.watchlists ?? null)
        const own = destinationAt(tx, owner, id).select('alert_destinations.id')
        const queue = changedQueue(change)
        if (queue !== null) await tx.updateTable('delivery_queues').set(queue).where('id', 'in', own).execute()
        const row = await tx
          .updateTable('alert_destinations')
          .set(changedColumns(change))
          .where('id', 'in', own)
          .returning(SHOWN)
          .executeTakeFirst()
        return row === undefined ? null : destinationOf(row)
      }),

    async remove(owner, id) {
      const gone = db
        .deleteFrom('delivery_queues')
        .where('id', 'in', destinationAt(db, owner, id).select('alert_destinations.id'))
      return (await gone.executeTakeFirstOrThrow()).numDeletedRows === 1n
    },

    async setSecret(owner, id, secret, at) {
      const change = update(owner, id).set({ secret, updated_at: new Date(at) })
      return (await change.executeTakeFirstOrThrow()).numUpdatedRows === 1n
    },

    async setCode(owner, id, codeId) {
      await update(owner, id).set({ code_id: codeId }).execute()
    },

    async codeOf(owner, id) {
      const code = destinationAt(db, owner, id).select('code_id').where('confirmed_at', 'is', null)
      return (await code.executeTakeFirst())?.code_id ?? null
    },

    async beginTest(owner, id, { now, pauseMs }) {
      const at = new Date(now)
      const begun = await update(owner, id)
        .set({ tested_at: at })
        .where(sql<boolean>`coalesce(tested_at <= ${new Date(now - pauseMs)}, true)`)
        .returning(['kind', 'url', 'email', 'secret'])
        .executeTakeFirst()
      if (begun !== undefined) return receiverOf(begun)
      const there = await destinationAt(db, owner, id).select('alert_destinations.id').executeTakeFirst()
      return there === undefined ? null : 'too soon'
    },

    deliveries: (owner, id, page) => listDeliveries(db, owner, id, page),
    retry: (owner, which, now, onlyPublic) => retryDelivery(db, owner, which, now, onlyPublic),
  }
}

/** Stores a destination and its queue, whatever the quota of its owner. The queue comes first, here as everywhere. */
export async function insertDestination(tx: Kysely<Tables>, given: NewDestination): Promise<void> {
  await tx.insertInto('delivery_queues').values(queueRow(given)).execute()
  await tx.insertInto('alert_destinations').values(destinationRow(given)).execute()
}

/** Throws Refused: `no watchlist`, unless all of these are the owner's. */
async function mustBeOwn(tx: Kysely<Tables>, owner: Owner, watchlists: readonly string[] | null): Promise<void> {
  if (watchlists === null) return
  const ids = [...new Set(watchlists)]
  const own = await recordsOf(tx, owner, 'watchlist').select('id').where('id', 'in', ids).execute()
  if (own.length < ids.length) throw new Refused('no watchlist')
}

/**
 * Holds the member and room for one more destination, until the transaction ends: they are counted, so there is no
 * counter to keep (ADR 280). Throws Refused: `no member`, `full`.
 */
async function takeDestination(tx: Kysely<Tables>, tiers: Tiers, owner: Owner): Promise<void> {
  await holdMember(tx, owner)
  // One after the other: of two at once, the second counts the first.
  const user = tx.selectFrom('users').select('id').where('id', '=', owner.userId).forNoKeyUpdate()
  if ((await user.executeTakeFirst()) === undefined) throw new Refused('no member')
  const { tier } = await tx
    .selectFrom('customers')
    .select('tier')
    .where('id', '=', owner.customerId)
    .executeTakeFirstOrThrow()
  const { service, featureKey } = MAX_DESTINATIONS
  const cap = entryOf(tierOf(tiers, tier).tier.quotas, service, featureKey)?.value ?? 0
  if (cap !== UNLIMITED && (await countDestinations(tx, owner)) >= cap) throw new Refused('full')
}
