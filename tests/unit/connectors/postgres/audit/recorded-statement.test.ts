import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { expect, test } from 'vitest'
import { preparedNames, withRecord } from '../../../../../connectors/postgres/audit/recorded-statement.ts'

const db = new Kysely<{ t: { a: string; b: string } }>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const insertion = (rows: number) =>
  db
    .insertInto('t')
    .values(Array.from({ length: rows }, () => ({ a: 'x', b: 'y' })))
    .compile() as CompiledQuery

test('the record is the last parameter of the statement that takes it along', () => {
  const { sql, parameters } = withRecord(insertion(1), () => '{}')!
  expect(sql).toBe(
    'WITH audited AS (INSERT INTO audit_waiting (entry) VALUES ($3)) insert into "t" ("a", "b") values ($1, $2)',
  )
  expect(parameters).toEqual(['x', 'y', Buffer.from('{}')])
})

test('what was added is prepared, each text under one name, and no more than two hundred', () => {
  const prepared = preparedNames()
  const texts = Array.from({ length: 201 }, (_, i) => `select ${i}`)
  expect(prepared.nameOf('select 0')).toBe(null)
  for (const text of [...texts, ...texts]) prepared.add(text)
  const names = texts.map(prepared.nameOf)
  expect(new Set(names.slice(0, 200)).size).toBe(200)
  expect(names[200]).toBe(null)
})

test('what returns all columns is never prepared: its plan would fail once a newer version has added one', () => {
  const prepared = preparedNames()
  const change = db.updateTable('t').set({ a: 'x' }).where('b', '=', 'y')
  const [all, some] = [change.returningAll().compile().sql, change.returning('a').compile().sql]
  for (const text of [all, some]) prepared.add(text)
  expect([prepared.nameOf(all), prepared.nameOf(some)]).toEqual([null, 'decides_0'])
})
