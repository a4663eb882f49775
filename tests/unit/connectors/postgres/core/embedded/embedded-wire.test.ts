import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EmbeddedWire } from '../../../../../../connectors/postgres/core/embedded/embedded-wire.ts'
import { emptyCluster } from '../../../../../builders/accounts/database/memory-database.ts'

let database: PGlite
const open: pg.Client[] = []

beforeAll(async () => {
  database = await PGlite.create({ loadDataDir: await emptyCluster() })
  await database.exec('CREATE TABLE t (a int PRIMARY KEY, b bytea, c text)')
})
afterAll(async () => {
  await Promise.all(open.map((client) => client.end()))
  await database?.close()
})

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ stream: () => new EmbeddedWire(database), ssl: false })
  client.on('error', () => undefined)
  await client.connect()
  open.push(client)
  return client
}
const names = async (client: pg.Client) => (await client.query('SELECT a FROM t ORDER BY a')).rows.map(({ a }) => a)

test('parameters and columns of all sizes arrive as they are', async () => {
  const client = await connected()
  const [bytes, text] = [Buffer.alloc(3_000_000, 7), 'é'.repeat(1_000_000)]
  await client.query('INSERT INTO t VALUES ($1, $2, $3)', [1, bytes, text])
  const { rows } = await client.query('DELETE FROM t RETURNING a, b, c')
  expect(rows[0].a).toBe(1)
  expect(bytes.equals(rows[0].b)).toBe(true)
  expect(rows[0].c === text).toBe(true)
})

test('a statement that fails fails alone, and its transaction can be rolled back', async () => {
  const client = await connected()
  await client.query('BEGIN')
  await client.query('INSERT INTO t VALUES ($1)', [1])
  await expect(client.query('INSERT INTO t VALUES ($1)', [1])).rejects.toMatchObject({ code: '23505' })
  await expect(client.query('SELECT 1')).rejects.toMatchObject({ code: '25P02' })
  await client.query('ROLLBACK')
  expect(await names(client)).toEqual([])
})

test('a statement with a name is parsed once, also after one that cannot be parsed', async () => {
  const client = await connected()
  const known = (n: number) => client.query({ name: 'known', text: 'SELECT $1::int AS n', values: [n] })
  expect((await known(2)).rows).toEqual([{ n: 2 }])
  await expect(client.query('SELEKT')).rejects.toMatchObject({ code: '42601' })
  expect((await known(3)).rows).toEqual([{ n: 3 }])
  const { rows } = await client.query("SELECT count(*)::int AS n FROM pg_prepared_statements WHERE name = 'known'")
  expect(rows).toEqual([{ n: 1 }])
})

test('a client finds nothing of the one before: no transaction, no statement, no channel', async () => {
  const first = await connected()
  await first.query('LISTEN channel')
  await first.query('PREPARE known AS SELECT 1')
  await first.query('BEGIN')
  await first.query('INSERT INTO t VALUES (1)')
  await first.end()

  const second = await connected()
  let heard = 0
  second.on('notification', () => heard++)
  expect(await names(second)).toEqual([])
  await expect(second.query('EXECUTE known')).rejects.toMatchObject({ code: '26000' })
  await second.query("NOTIFY channel, 'x'")
  await second.query('LISTEN channel')
  await second.query("NOTIFY channel, 'y'")
  expect(heard).toBe(1)
})

test('the end of the database fails the statement that waits, and no process', async () => {
  const lost = await PGlite.create({ loadDataDir: await emptyCluster() })
  const client = new pg.Client({ stream: () => new EmbeddedWire(lost), ssl: false })
  client.on('error', () => undefined)
  await client.connect()
  lost.execProtocolRaw = async () => {
    throw new Error('memory access out of bounds')
  }
  await expect(client.query('SELECT 1')).rejects.toThrow('memory access out of bounds')
  await expect(client.query('SELECT 1')).rejects.toThrow(/connection/)
  await lost.close()
})
