import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { expect, test } from 'vitest'
import { withRecord } from '../../../../../connectors/postgres/core/audited-dialect.ts'

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

test('an update that returns rows stores one record if there are any; another update takes none along', () => {
  const update = db.updateTable('t').set({ a: 'x' }).where('b', '=', 'y')
  const { sql, parameters } = withRecord(update.returning(['a', 'b']).compile() as CompiledQuery, () => '{}')!
  expect(sql).toBe(
    'WITH changed AS (update "t" set "a" = $1 where "b" = $2 returning "a", "b"), ' +
      'audited AS (INSERT INTO audit_waiting (entry) SELECT $3::bytea WHERE EXISTS (SELECT FROM changed)) ' +
      'SELECT * FROM changed',
  )
  expect(parameters).toEqual(['x', 'y', Buffer.from('{}')])
  expect(withRecord(update.compile() as CompiledQuery, () => '{}')).toBeNull()
  const after = db.with('c', (of) => of.selectFrom('t').select('a')).updateTable('t')
  expect(withRecord(after.set({ a: 'x' }).returning('a').compile() as CompiledQuery, () => '{}')).toBeNull()
})
