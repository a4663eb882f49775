import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { expect, test } from 'vitest'
import { withRecord } from '../../../../../connectors/postgres/audit/recorded-statement.ts'

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
