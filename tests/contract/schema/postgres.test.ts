import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { memoryDatabase } from '../../builders/accounts/database/memory-database.ts'
import { during } from '../../builders/suite/during.ts'
import { arrayOf, type Column, type Columns, type Generated, tablesOf } from './declared.ts'

const TABLES = fileURLToPath(new URL('../../../connectors/postgres/tables/all-tables.ts', import.meta.url))

/** The class of the value that a driver gives for a PostgreSQL type; names as in `pg_type`. */
const CLASSES: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  json: 'unknown',
  jsonb: 'unknown',
  text: 'string',
  timestamptz: 'Date',
  tsvector: 'string',
  uuid: 'string',
}

type Stored = {
  table: string
  column: string
  type: string
  nullable: boolean
  has_default: boolean
  always: boolean
}

const database = during(memoryDatabase)

/** The tables that the migrations made, but for those of the migrator. */
async function storedTables(): Promise<Record<string, Columns>> {
  const { rows } = await sql<Stored>`
    SELECT table_name AS table, column_name AS column, udt_name AS type, is_nullable = 'YES' AS nullable,
      column_default IS NOT NULL AS has_default,
      is_generated = 'ALWAYS' OR coalesce(identity_generation = 'ALWAYS', false) AS always
    FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely%'`.execute(database.db)
  const tables: Record<string, Columns> = {}
  for (const row of rows) {
    tables[row.table] ??= {}
    tables[row.table]![row.column] = columnOf(row)
  }
  return tables
}

function columnOf({ table, column, type, nullable, has_default, always }: Stored): Column {
  const name = CLASSES[type.replace(/^_/, '')]
  if (name === undefined) throw new Error(`${table}.${column}: no class is known for the PostgreSQL type ${type}`)
  const value = type.startsWith('_') ? arrayOf(name) : name
  const generated: Generated = always ? 'always' : has_default ? 'by default' : 'no'
  return { type: nullable && value !== 'unknown' ? ['null', value].sort().join(' | ') : value, generated }
}

test('the declared tables have the columns, types, nulls and defaults that the migrations make', async () => {
  expect(tablesOf(TABLES, 'Tables')).toEqual(await storedTables())
})
