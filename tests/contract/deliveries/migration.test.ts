/**
 * Migration 0035: webhooks and deliveries of before go on in one queue, each under its id. On the server of DATABASE_URL,
 * where a process of before may have a change under way, else on an embedded database.
 */

import { randomUUID } from 'node:crypto'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { kyselyDestinations } from '../../../connectors/postgres/casework/deliveries/destinations.ts'
import { clientTypes } from '../../../connectors/postgres/core/client-types.ts'
import { embeddedPool } from '../../../connectors/postgres/core/embedded/embedded-wire.ts'
import { migrate, migrations } from '../../../connectors/postgres/core/migrate.ts'
import { unheard } from '../../../connectors/postgres/core/port.ts'
import type { Tables } from '../../../connectors/postgres/tables/all-tables.ts'
import { delivering } from '../../../pipelines/runtime/leases/deliveries.ts'
import { BUILT_IN_TIERS } from '../../../schemas/accounts/tiers/tiers.ts'
import { CUT_OFF, type DeliveryKind } from '../../../schemas/casework/deliveries/schedule.ts'
import type { Owner } from '../../../schemas/casework/owner.ts'
import { databaseUrlOf } from '../../builders/accounts/database/own-database.ts'
import { crew, peopleOf } from '../../builders/accounts/team.ts'
import { type Receiver, receiver } from '../../builders/network/receiver.ts'
import { delivererOver } from '../../builders/scans/deliveries.ts'
import { SECRET, verify } from '../../builders/scans/webhooks.ts'

const NOW = 1_800_000_000_000
const URL_OF_SERVER = process.env.DATABASE_URL
const BEFORE = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0035'))

let db: Kysely<Tables>
let owner: Owner
const closing: (() => Promise<unknown>)[] = []

/** A database without tables. */
async function emptyDatabase(): Promise<Kysely<Tables>> {
  if (URL_OF_SERVER === undefined) {
    const pglite = await PGlite.create()
    closing.push(() => pglite.close())
    return new Kysely({ dialect: new PostgresDialect({ pool: embeddedPool(pglite) }) })
  }
  const { url, remove } = await databaseUrlOf(URL_OF_SERVER)
  closing.push(remove)
  const pool = new pg.Pool({ connectionString: url, max: 4, types: clientTypes() })
  // Its connections may still be closing when the database is removed.
  pool.on('error', () => undefined)
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}

beforeAll(async () => {
  db = await emptyDatabase()
  closing.push(() => db.destroy())
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => BEFORE } }).migrateToLatest()
  expect(error).toBeUndefined()
  const { customerId, user } = await crew(peopleOf({ db, work: unheard, close: async () => undefined }))
  owner = { customerId, userId: user.id }
}, 120_000)
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const receivers: Receiver[] = []
const receiving = async (...given: Parameters<typeof receiver>): Promise<Receiver> => {
  const opened = await receiver(...given)
  receivers.push(opened)
  return opened
}
afterEach(async () => {
  for (const { close } of receivers.splice(0)) await close()
})

type OldWebhook = Partial<{
  state: 'waiting' | 'delivered' | 'dead'
  attempts: number
  nextAt: number
  holder: string | null
  leaseUntil: number
  finishedAt: number | null
  error: string | null
}>

/** As the release before stored it. */
async function oldWebhook(of: Kysely<Tables>, url: string, given: OldWebhook = {}): Promise<string> {
  const id = randomUUID()
  const { state = 'waiting', attempts = 0, nextAt = NOW, holder = null, leaseUntil = 0 } = given
  const { finishedAt = null, error = null } = given
  const ended = state !== 'waiting'
  await sql`
    INSERT INTO webhook_deliveries (id, url, host, headers, secret, body, attempts, next_at, state, last_error, holder,
      lease_until, fence, created_at, finished_at)
    VALUES (${id}, ${url}, ${new URL(url).hostname}, ${ended ? '[]' : JSON.stringify([{ key: 'x-ours', value: id }])},
      ${ended ? '' : SECRET}, ${Buffer.from(id)}, ${attempts}, ${new Date(nextAt)}, ${state}, ${error}, ${holder},
      ${new Date(leaseUntil)}, ${attempts}, ${new Date(NOW - 1)}, ${finishedAt === null ? null : new Date(finishedAt)})`.execute(
    of,
  )
  return id
}

/** A destination of before with a fresh alert, one that is tried again, and one that arrived. Ids of the three alerts. */
async function oldDestination(url: string, retryAt: number): Promise<{ id: string; alerts: string[] }> {
  const id = randomUUID()
  const alerts = [randomUUID(), randomUUID(), randomUUID()] as const
  const at = new Date(NOW)
  await sql`
    INSERT INTO alert_destinations (id, customer_id, user_id, name, kind, url, host, digest, public_only, secret, due_at,
      begun_to, fence, created_at, updated_at)
    VALUES (${id}, ${owner.customerId}, ${owner.userId}, 'ours', 'webhook', ${url}, ${new URL(url).host}, 'none', false,
      'whsec_AAAA', ${at}, 2, 7, ${at}, ${at})`.execute(db)
  await sql`
    INSERT INTO casework_alerts (id, customer_id, user_id, watchlist_id, item_id, entity_id, entity_type, entity_value,
      reputation, matched_kind, matched_on, created_at, last_at, readable_by, needs, partition, last_offset)
    SELECT id, ${owner.customerId}, ${owner.userId}, gen_random_uuid(), gen_random_uuid(), 'ip-' || repeat('0', 64), 'ip',
      '203.0.113.7', -3, 'value', '203.0.113.7', ${at}, ${at}, '{public}', '{}', 0, 0
    FROM unnest(${alerts}::uuid[]) AS id`.execute(db)
  const states = ['delivered', 'trying', 'fresh'] as const
  for (const [i, alert] of alerts.entries())
    await sql`
      INSERT INTO alert_deliveries (id, destination_id, seq, alert_id, message_id, state, attempts, next_at, created_at,
        finished_at)
      VALUES (gen_random_uuid(), ${id}, ${i + 1}, ${alert}, ${alert}, ${states[i]}, ${states[i] === 'fresh' ? 0 : 1},
        ${new Date(states[i] === 'trying' ? retryAt : NOW)}, ${at}, ${states[i] === 'delivered' ? at : null})`.execute(
      db,
    )
  return { id, alerts: [...alerts] }
}

const idOf = ({ headers }: Receiver['received'][0]) => headers['x-harrier-delivery'] as string

/** What is due at `now` is tried by a process of this release. Returns what was given up. */
async function round(kind: DeliveryKind, now: number) {
  const { ports, dead, failures } = delivererOver(db, kind, { now: () => now })
  const tries = delivering(ports)
  while ((await tries.begin()) > 0) await tries.ended()
  expect(failures).toEqual([])
  return dead
}

test('what waits is sent once under its id when it is due, what ended keeps its end, and leases hold', async () => {
  const target = await receiving((response) => response.end())
  const to = (given: OldWebhook = {}) => oldWebhook(db, target.url, given)
  const taken = { holder: randomUUID(), leaseUntil: NOW + 30_000 }
  const pending = await to()
  const later = await to({ attempts: 2, nextAt: NOW + 60_000, error: 'down' })
  const leased = await to({ ...taken, attempts: 1 })
  const cutOff = await to({ ...taken, attempts: 5, error: 'down' })
  const delivered = await to({ state: 'delivered', attempts: 1, finishedAt: NOW })
  const dead = await to({ state: 'dead', attempts: 5, finishedAt: NOW, error: 'gone' })
  const toAlerts = await receiving((response) => response.end())
  const destination = await oldDestination(toAlerts.url, NOW + 60_000)
  // A process of before has begun a change, which it ends while the migration waits for it.
  let begun: string | undefined
  const change =
    URL_OF_SERVER === undefined
      ? undefined
      : db.transaction().execute(async (tx) => {
          begun = await oldWebhook(tx, target.url)
          await sql`SELECT pg_sleep(1)`.execute(tx)
        })
  if (change !== undefined) await expect.poll(() => begun).toBeDefined()
  await Promise.all([migrate(db), change])
  await expect(oldWebhook(db, target.url)).rejects.toThrow('webhook_deliveries')

  const first = begun === undefined ? [pending] : [pending, begun]
  expect(await round('scan', NOW)).toEqual([])
  expect(new Set(target.received.map(idOf))).toEqual(new Set(first))
  expect(await round('scan', NOW + 29_999)).toEqual([])
  expect(target.received).toHaveLength(first.length)
  expect(await round('scan', NOW + 30_000)).toMatchObject([{ delivery: cutOff, error: CUT_OFF }])
  expect(await round('scan', NOW + 60_000)).toEqual([])
  expect(await round('scan', NOW + 24 * 3_600_000)).toEqual([])
  expect(target.received.slice(first.length).map(idOf)).toEqual([leased, later])
  for (const { headers, body } of target.received) {
    const [id, signed] = [headers['x-harrier-delivery'] as string, headers['x-harrier-signature'] as string]
    expect([body.toString(), headers['x-ours']]).toEqual([id, id])
    expect(verify(SECRET, signed, body, Number(/^t=(\d+)/.exec(signed)![1]))).toBe(true)
  }
  const rows = await db.selectFrom('deliveries').selectAll().where('url', 'is not', null).execute()
  const ends = new Map(rows.map(({ id, state, attempts, last_error }) => [id, [state, attempts, last_error]]))
  expect(ends).toEqual(
    new Map<string, unknown>([
      ...first.map((id) => [id, ['delivered', 1, null]] as const),
      [leased, ['delivered', 2, null]],
      [later, ['delivered', 3, null]],
      [cutOff, ['dead', 5, CUT_OFF]],
      [delivered, ['delivered', 1, null]],
      [dead, ['dead', 5, 'gone']],
    ]),
  )
  expect(new Set(rows.map(({ secret, headers }) => JSON.stringify([secret, headers])))).toEqual(new Set(['["",[]]']))

  // Of the destination: the one that is tried again holds back the fresh one until it is due.
  const [, retried, fresh] = destination.alerts
  await round('alert', NOW)
  expect(toAlerts.received).toEqual([])
  await round('alert', NOW + 60_000)
  expect(toAlerts.received.map(idOf)).toEqual([retried, fresh])
  const listed = await kyselyDestinations(db, BUILT_IN_TIERS).deliveries(owner, destination.id, {
    after: null,
    limit: 5,
  })
  expect(listed!.deliveries.map(({ state, attempts }) => [state, attempts])).toEqual([
    ['delivered', 1],
    ['delivered', 2],
    ['delivered', 1],
  ])
})

test('destinations of before end with their deliveries, and deleted ones leave no queue that is taken for ever', async () => {
  const destinations = kyselyDestinations(db, BUILT_IN_TIERS)
  const { id } = (await destinations.list(owner))[0]!
  // As a process of before deletes it.
  await db.deleteFrom('alert_destinations').where('id', '=', id).execute()
  await db
    .updateTable('delivery_queues')
    .set({ due_at: new Date(NOW) })
    .where('id', '=', id)
    .execute()
  expect(await round('alert', NOW + 120_000)).toEqual([])
  expect(await db.selectFrom('delivery_queues').select('id').where('kind', '=', 'alert').execute()).toEqual([])
  expect(await db.selectFrom('deliveries').select('id').where('url', 'is', null).execute()).toEqual([])
})
