import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { decidesAmong } from '../../../../../api/http/audit/trail.ts'
import type { AccountsDatabase } from '../../../../../connectors/postgres/core/database.ts'
import {
  type AuditedRequest,
  aboutFound,
  aboutMade,
  duringRequest,
} from '../../../../../connectors/postgres/core/port.ts'
import { memoryDatabase } from '../../../../builders/accounts/database/memory-database.ts'
import { auditEntry } from '../../../../builders/audit/records.ts'
import { during } from '../../../../builders/suite/during.ts'

const database = during(memoryDatabase)
beforeEach(async () => {
  await sql`DELETE FROM audit_waiting`.execute(database.db)
  await sql`DELETE FROM settings`.execute(database.db)
})

/** A request whose record is stored with a change of settings. */
function request(given: Partial<AuditedRequest> = {}): AuditedRequest {
  const one: AuditedRequest = {
    kind: 'change',
    late: false,
    decides: decidesAmong(['settings']),
    entry: () => auditEntry({ subject: one.found.subject ?? one.made ?? '', userID: one.found.userID ?? null }),
    made: null,
    found: {},
    isRefused: false,
    stored: null,
    ...given,
  }
  return one
}

const put = (name: string, db: Pick<AccountsDatabase['db'], 'insertInto'> = database.db) =>
  db.insertInto('settings').values({ name, value: '1' }).execute()
const stored = async () => {
  const rows = await database.db.selectFrom('audit_waiting').select('entry').orderBy('seq').execute()
  return rows.map(({ entry }) => JSON.parse(entry.toString()) as ReturnType<typeof auditEntry>)
}
const settings = async () =>
  (await database.db.selectFrom('settings').select('name').orderBy('name').execute()).map(({ name }) => name)

test('a statement of its own and its record are stored together', async () => {
  await duringRequest(request(), () => put('a'))
  expect([await settings(), (await stored()).length]).toEqual([['a'], 1])
})

test('a transaction has one record, of what the request knows when it commits', async () => {
  const [made, userID] = [randomUUID(), randomUUID()]
  await duringRequest(request({ late: true }), () =>
    database.db.transaction().execute(async (tx) => {
      await put('a', tx)
      await put('b', tx)
      aboutMade(made)
      aboutMade(randomUUID())
      aboutFound({ userID })
    }),
  )
  expect(await settings()).toEqual(['a', 'b'])
  expect(await stored()).toMatchObject([{ subject: made, userID }])
})

test('a request has one record, however many transactions it takes', async () => {
  await duringRequest(request(), async () => {
    await put('a')
    await put('b')
  })
  expect((await stored()).length).toBe(1)
})

test('what is rolled back leaves no record, and the next try of the same request does', async () => {
  await duringRequest(request(), async () => {
    const failed = database.db.transaction().execute(async (tx) => {
      await put('a', tx)
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect([await settings(), await stored()]).toEqual([[], []])
    await put('b')
  })
  expect([await settings(), (await stored()).length]).toEqual([['b'], 1])
})

test('a change whose record cannot be stored is not made, alone or in a transaction', async () => {
  const broken = () =>
    request({
      entry: () => {
        throw new Error('no record')
      },
    })
  await expect(duringRequest(broken(), () => put('a'))).rejects.toThrow('no record')
  const together = duringRequest(broken(), () => database.db.transaction().execute((tx) => put('b', tx)))
  await expect(together).rejects.toThrow('no record')
  expect([await settings(), await stored()]).toEqual([[], []])
  // The connection is not left inside of a transaction.
  await put('c')
  expect(await settings()).toEqual(['c'])
})

test('what changes nothing, what does not decide and what no request asked for leave no record', async () => {
  const nothing = () => database.db.deleteFrom('settings').where('name', '=', 'x').execute()
  await duringRequest(request(), nothing)
  await duringRequest(request(), () => database.db.transaction().execute((tx) => tx.deleteFrom('settings').execute()))
  await duringRequest(request({ decides: decidesAmong(['users']) }), () => put('a'))
  await duringRequest(request({ kind: 'ahead' }), () => put('b'))
  await put('c')
  expect([await settings(), await stored()]).toEqual([['a', 'b', 'c'], []])
})

test('an update that returns rows has one record, alone and in a transaction, and none where no row was met', async () => {
  await put('a')
  await put('b')
  type Db = Pick<AccountsDatabase['db'], 'updateTable'>
  const update = (names: string[], value: string, db: Db = database.db) =>
    db.updateTable('settings').set({ value }).where('name', 'in', names).returning(['name', 'value']).execute()
  const inside = (names: string[], value: string) =>
    database.db.transaction().execute(async (tx) => {
      const rows = await update(names, value, tx)
      await put(`after ${value}`, tx)
      return rows
    })
  const of = async (work: () => Promise<object[]>) => [
    (await duringRequest(request(), work)).length,
    (await stored()).length,
  ]
  expect(await of(() => update(['a', 'b'], '2'))).toEqual([2, 1])
  expect(await of(() => inside(['a', 'b'], '3'))).toEqual([2, 2])
  expect(await of(() => update(['nobody'], '4'))).toEqual([0, 2])
  // No row of the update: the insertion after it is what has the record.
  expect(await of(() => inside(['nobody'], '5'))).toEqual([0, 3])
  const rows = await database.db.selectFrom('settings').select('value').where('name', 'in', ['a', 'b']).execute()
  expect(rows).toEqual([{ value: 3 }, { value: 3 }])
})

test('an update that is rolled back after it took a record along leaves none', async () => {
  await put('a')
  const failed = duringRequest(request(), () =>
    database.db.transaction().execute(async (tx) => {
      await tx.updateTable('settings').set({ value: '2' }).returning('name').execute()
      throw new Error('no')
    }),
  )
  await expect(failed).rejects.toThrow('no')
  expect(await stored()).toEqual([])
})

test('statements of others meanwhile have no record', async () => {
  await Promise.all([duringRequest(request(), () => put('a')), put('b'), put('c')])
  expect([await settings(), (await stored()).length]).toEqual([['a', 'b', 'c'], 1])
})

test('statements as text decide too, and only those with the verb that the list names', async () => {
  const decides = decidesAmong(['insert key_pairs', 'sessions'])
  const yes = [
    'insert into "key_pairs" ("id") values ($1)',
    'INSERT INTO key_pairs AS k',
    'delete from "sessions" where',
  ]
  const no = [
    'delete from "key_pairs"',
    'insert into "key_pairs_old"',
    'select * from "sessions" for update',
    'update "users"',
  ]
  expect([yes.map(decides), no.map(decides)]).toEqual([yes.map(() => true), no.map(() => false)])
  await duringRequest(request(), () => sql`INSERT INTO settings (name, value) VALUES ('a', '1')`.execute(database.db))
  expect((await stored()).length).toBe(1)
})

test('statements answer as they do without a record: rows, and how many were changed', async () => {
  const change = async () => {
    const { db } = database
    const inserted = await db.insertInto('settings').values({ name: 'a', value: '1' }).returningAll().execute()
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('settings')
      .values({ name: 'b', value: '2' })
      .executeTakeFirstOrThrow()
    const conflict = await db
      .insertInto('settings')
      .values({ name: 'a', value: '3' })
      .onConflict((same) => same.column('name').doNothing())
      .executeTakeFirstOrThrow()
    const updated = await db
      .updateTable('settings')
      .set({ value: '4' })
      .where('name', '=', 'b')
      .returning('name')
      .execute()
    const { numDeletedRows } = await db
      .deleteFrom('settings')
      .where('name', 'in', ['a', 'b', 'c'])
      .executeTakeFirstOrThrow()
    return [inserted, numInsertedOrUpdatedRows, conflict.numInsertedOrUpdatedRows, updated, numDeletedRows]
  }
  const plain = await change()
  // Each statement decides anew: every one of them has a record beside it.
  const always = request()
  Object.defineProperty(always, 'stored', { get: () => null, set: () => undefined })
  expect(await duringRequest(always, change)).toEqual(plain)
  expect((await stored()).length).toBe(4)
})

test('what only a store finds out is in the record of a statement of its own, and of a transaction', async () => {
  const userID = randomUUID()
  await duringRequest(request({ late: true }), async () => {
    aboutFound({ userID })
    await put('a')
  })
  await duringRequest(request({ late: true }), () =>
    database.db.transaction().execute(async (tx) => {
      await put('b', tx)
      aboutFound({ userID })
    }),
  )
  expect((await stored()).map((record) => record.userID)).toEqual([userID, userID])
})

test('text in a record cannot end the literal that it is written into', async () => {
  const hostile = `'); DROP TABLE settings; --\\' "$1"`
  await duringRequest(request({ entry: () => auditEntry({ subject: hostile }) }), () => put('a'))
  expect([await settings(), (await stored())[0]!.subject]).toEqual([['a'], hostile])
})
