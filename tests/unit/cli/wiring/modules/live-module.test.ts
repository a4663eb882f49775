import pino from 'pino'
import { expect, test } from 'vitest'
import { openLive } from '../../../../../cli/wiring/modules/live-module.ts'
import { memoryDatabase } from '../../../../builders/accounts/database/memory-database.ts'
import { during } from '../../../../builders/suite/during.ts'

const database = during(memoryDatabase)

const silent = pino({ level: 'silent' })
const leases = async () => {
  const rows = await database.db.selectFrom('live_places').select('lease_until').execute()
  return rows.map((row) => row.lease_until.getTime())
}

test('the places of open streams are renewed until they are given back, the rest with the process', async () => {
  const { live, close } = openLive(database.db, silent, { renewMs: 10 })
  const mine = { type: 'user', id: 'ada' } as const
  const [ended, open] = [await live.streams.take(mine, 2), await live.streams.take(mine, 2)]
  expect(await live.streams.take(mine, 2)).toBeNull()
  await ended!.giveBack()
  const [before] = await leases()
  await expect.poll(async () => (await leases())[0]! > before!, { timeout: 60_000 }).toBe(true)
  await database.db.deleteFrom('live_places').execute()
  await expect.poll(() => open!.lost.aborted, { timeout: 60_000 }).toBe(true)
  await live.streams.take(mine, 2)
  await close()
  expect(await leases()).toEqual([])
})

test('what ended long ago is swept, however much of it there is', async () => {
  const long = new Date(Date.now() - 24 * 60 * 60 * 1000)
  const of = (i: number) => String(i).padStart(12, '0')
  const places = Array.from({ length: 6_000 }, (_, i) => ({
    subject: `ip ${i}`,
    place: 1,
    stream_id: `00000000-0000-4000-8000-${of(i)}`,
    lease_until: long,
  }))
  await database.db.insertInto('live_places').values(places).execute()
  const ticket = { ticket_hash: Buffer.alloc(32, 1), user_id: null, credential_id: null, expires_at: long }
  await database.db
    .insertInto('live_tickets')
    .values({ ...ticket, caller_kind: 'anonymous' })
    .execute()
  const { close } = openLive(database.db, silent)
  const left = async () =>
    (await leases()).length + (await database.db.selectFrom('live_tickets').selectAll().execute()).length
  await expect.poll(left, { timeout: 60_000 }).toBe(0)
  await close()
})
