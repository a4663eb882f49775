import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../../connectors/availability/port.ts'
import { postgresDatabase } from '../../../connectors/postgres/core/server-database.ts'

const url = process.env.DATABASE_URL
/** 4.4 s where the machine is busy, as it is while tests run, and what such a machine adds; else 2 s (ADR 281). */
const FAILS_MS = 7_000

/** A way to the server that can be frozen: connections stay, nothing passes, and new ones are taken and left. */
async function frozenAtWill(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const state = { frozen: false }
  const server = createServer((socket) => {
    const other = connect(Number(port || 5432), hostname)
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
      from.on('data', (chunk) => to.write(chunk))
      if (state.frozen) from.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(target)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    freeze(frozen: boolean): void {
      state.frozen = frozen
      for (const socket of sockets) frozen ? socket.pause() : socket.resume()
    },
    /** Ends every connection, as a server does that dies. */
    cut(): void {
      for (const socket of sockets) socket.destroy()
    },
    close(): void {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

async function failing(work: Promise<unknown>): Promise<number> {
  const from = performance.now()
  await expect(work).rejects.toBeInstanceOf(StoreUnavailable)
  return performance.now() - from
}

test.runIf(url !== undefined)(
  'statements, transactions and waiting for a connection fail soon when the server hangs, and work when it is back',
  async () => {
    const way = await frozenAtWill(url!)
    const { db, close } = await postgresDatabase({ url: way.url, poolSize: 3, onConnectionLost: () => undefined })
    const one = () => sql<{ n: number }>`SELECT 1 AS n`.execute(db).then(({ rows }) => rows[0]?.n)
    expect(await one()).toBe(1)
    const begun = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<void>()
    const transaction = db.transaction().execute(async (trx) => {
      await sql`SELECT 1`.execute(trx)
      begun.resolve()
      await stopped.promise
      await sql`SELECT 2`.execute(trx)
    })
    await begun.promise
    way.freeze(true)
    stopped.resolve()
    // Far more than there are connections.
    const took = await Promise.all([failing(transaction), ...Array.from({ length: 20 }, () => failing(one()))])
    expect(Math.max(...took)).toBeLessThan(FAILS_MS)
    expect(await failing(one())).toBeLessThan(50)
    way.freeze(false)
    await expect.poll(() => one().catch(() => null), { timeout: 5_000 }).toBe(1)
    expect(await Promise.all(Array.from({ length: 20 }, one))).toEqual(Array(20).fill(1))
    await close()
    way.close()
  },
)

test.runIf(url !== undefined)('a slow statement of a server that is there is waited for', async () => {
  const { db, close } = await postgresDatabase({ url: url!, poolSize: 1, onConnectionLost: () => undefined })
  await sql`SELECT pg_sleep(3)`.execute(db)
  await close()
})

test.runIf(url !== undefined)(
  'a connection that is lost in the middle of a transaction, running or at rest, fails that transaction alone',
  async () => {
    const way = await frozenAtWill(url!)
    let lost = 0
    const { db, close } = await postgresDatabase({ url: way.url, poolSize: 3, onConnectionLost: () => void lost++ })
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const cut = Promise.withResolvers<void>()
    const resting = db.transaction().execute(async (trx) => {
      await sql`SELECT 1`.execute(trx)
      begun[0].resolve()
      await cut.promise
      await sql`SELECT 2`.execute(trx)
    })
    const running = db.transaction().execute(async (trx) => {
      await sql`SELECT 1`.execute(trx)
      begun[1].resolve()
      await sql`SELECT pg_sleep(30)`.execute(trx)
    })
    await Promise.all(begun.map(({ promise }) => promise))
    way.cut()
    await expect(running).rejects.toBeInstanceOf(StoreUnavailable)
    cut.resolve()
    await expect(resting).rejects.toThrow()
    expect(lost).toBeGreaterThanOrEqual(2)
    await expect.poll(() => sql`SELECT 1`.execute(db).then(({ rows }) => rows.length)).toBe(1)
    await close()
    way.close()
  },
)
