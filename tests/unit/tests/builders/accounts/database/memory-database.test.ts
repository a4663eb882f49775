import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { AccountsDatabase } from '../../../../../../connectors/postgres/core/database.ts'
import { emptied, keepRows } from '../../../../../builders/accounts/database/emptied.ts'
import { emptyCluster, memoryDatabase } from '../../../../../builders/accounts/database/memory-database.ts'

/** The rows of some tables, and where their sequence stands. */
async function contentOf({ db }: AccountsDatabase): Promise<unknown[]> {
  const rows = sql`SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM outbox) AS outbox,
    (SELECT json_agg(t) FROM outbox_turn AS t) AS turn, (SELECT json_build_array(last_value, is_called) FROM outbox_seq_seq) AS seq`
  return (await rows.execute(db)).rows
}

/** A database that was used before has made more transactions than a new one. */
const transactionsOf = async ({ db }: AccountsDatabase): Promise<number> =>
  Number((await sql<{ count: string }>`SELECT pg_current_xact_id()::text AS count`.execute(db)).rows[0]!.count)

const leave = ({ db }: AccountsDatabase, rows: number) =>
  sql`INSERT INTO outbox (id, topic, key, record, created_at)
    SELECT gen_random_uuid(), 't', 'k', '', now() FROM generate_series(1, ${rows})`.execute(db)

// Few rows are deleted, the files of many are made anew.
test.each([1, 5_000])(
  'the next one has nothing of %d rows that were left, and the rows of the migrations',
  async (rows) => {
    const first = await memoryDatabase()
    const fresh = await contentOf(first)
    expect(fresh).toEqual([{ users: 0, outbox: 0, turn: [expect.anything()], seq: [1, false] }])
    const made = await transactionsOf(first)
    await leave(first, rows)
    await sql`DELETE FROM outbox_turn`.execute(first.db)
    await first.close()
    const next = await memoryDatabase()
    expect(await transactionsOf(next)).toBeGreaterThan(made)
    expect(await contentOf(next)).toEqual(fresh)
    await next.close()
  },
)

test('whoever has closed it asks nothing of it any more, and hears nothing of it', async () => {
  const first = await memoryDatabase()
  let rung = 0
  first.work.on('outbox', () => rung++)
  await leave(first, 1)
  await expect.poll(() => rung).toBe(1)
  await first.close()
  const next = await memoryDatabase()
  let heard = 0
  next.work.on('outbox', () => heard++)
  await leave(next, 1)
  await expect.poll(() => heard).toBe(1)
  expect(rung).toBe(1)
  await expect(sql`SELECT 1`.execute(first.db)).rejects.toThrow()
  await next.close()
})

test('two that are open at once are two', async () => {
  const [one, other] = await Promise.all([memoryDatabase(), memoryDatabase()])
  await leave(one, 1)
  expect(await contentOf(one)).toMatchObject([{ outbox: 1 }])
  expect(await contentOf(other)).toMatchObject([{ outbox: 0 }])
  await Promise.all([one.close(), other.close(), one.close()])
})

test('a database whose schema was changed is not used again', async () => {
  const pglite = await PGlite.create({ loadDataDir: await emptyCluster() })
  await pglite.exec(`CREATE TABLE a (n int);
    CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER b AFTER INSERT ON a FOR EACH ROW EXECUTE FUNCTION f()`)
  await keepRows(pglite)
  for (const [change, undo] of [
    ['ALTER TABLE a ADD COLUMN m text', 'ALTER TABLE a DROP COLUMN m'],
    ['ALTER TABLE a ADD CHECK (n > 0)', 'ALTER TABLE a DROP CONSTRAINT a_n_check'],
    ['ALTER TABLE a DISABLE TRIGGER b', 'ALTER TABLE a ENABLE TRIGGER b'],
    ['ALTER TABLE a RENAME TO c', 'ALTER TABLE c RENAME TO a'],
    ['CREATE INDEX i ON a (n)', 'DROP INDEX i'],
    ['CREATE SCHEMA more', 'DROP SCHEMA more'],
  ]) {
    await pglite.exec(change!)
    expect([change, await emptied(pglite)]).toEqual([change, false])
    await pglite.exec(undo!)
    expect([undo, await emptied(pglite)]).toEqual([undo, true])
  }
  await pglite.close()
})
