import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Query } from '../../../connectors/history/port.ts'
import { COLUMNS } from '../../../connectors/history/sql/queries/entities-queries.ts'
import { blocks } from '../../../connectors/history/stores/blocks-store.ts'
import { migrated } from '../../builders/history/shared.ts'
import { stores } from '../../builders/history/stores.ts'
import { IN_MEMORY, ROW_TYPE, ROWS } from './clickhouse-rows.ts'
import { arrayOf, columnsOf } from './declared.ts'

const FOLDER = fileURLToPath(new URL('../../../connectors/history/sql/queries/', import.meta.url))

/** What stands around a type and changes no value: `Inner` in `LowCardinality(Inner)`. */
const WRAPPED = /^(?:LowCardinality|SimpleAggregateFunction)\((?:\w+, )?(.+)\)$/

/** The class of the value that JSON answers have for a ClickHouse type; 64-bit integers are text. */
function classOf(type: string): string {
  const inner = (pattern: RegExp): string | undefined => pattern.exec(type)?.[1]
  const wrapped = inner(WRAPPED)
  if (wrapped !== undefined) return classOf(wrapped)
  const item = inner(/^Array\((.+)\)$/)
  if (item !== undefined) return arrayOf(classOf(item))
  const value = inner(/^Map\(String, (.+)\)$/)
  if (value !== undefined) return `Record<string, ${classOf(value)}>`
  const present = inner(/^Nullable\((.+)\)$/)
  if (present === 'Nothing') return 'null'
  if (present !== undefined) return ['null', classOf(present)].sort().join(' | ')
  if (/^(String|UUID|FixedString\(\d+\)|U?Int64)$/.test(type)) return 'string'
  if (/^(U?Int(8|16|32)|Float(32|64))$/.test(type)) return 'number'
  throw new Error(`no class is known for the ClickHouse type ${type}`)
}

/** A type as a block states it: without what a table adds for itself. */
const asWritten = (type: string): string => {
  const wrapped = WRAPPED.exec(type)?.[1]
  return wrapped === undefined ? type : asWritten(wrapped)
}

describe.each(stores())('the schema of the history: $name', ({ open }) => {
  const { history } = migrated(open)

  /** The columns of a table that hold data, with their types. */
  async function storedColumns(table: string): Promise<Record<string, string>> {
    const sql = `SELECT name, type FROM system.columns
      WHERE database = currentDatabase() AND table = {table:String} AND default_kind != 'ALIAS'`
    const rows = await history.query<{ name: string; type: string }>({ sql, params: { table } })
    return Object.fromEntries(rows.map(({ name, type }) => [name, asWritten(type)]))
  }

  /** The columns of the answers to a query, with the classes of their values. */
  async function answeredColumns({ sql, params }: Query): Promise<Record<string, string>> {
    const rows = await history.query<{ name: string; type: string }>({ sql: `DESCRIBE (${sql})`, params })
    return Object.fromEntries(rows.map(({ name, type }) => [name, classOf(type)]))
  }

  const { addEntity: _, ...tables } = blocks()
  test.each(Object.entries(tables))(
    'a block of %s has every column of the table, with its type',
    async (name, block) => {
      expect(block.columns).toEqual(await storedColumns(name))
    },
  )

  test('a whole row of an entity is read with every column of the table, but for those of its id', async () => {
    const read = new Set(COLUMNS.match(/[\w.]+/g))
    const stored = Object.keys(await storedColumns('entities'))
    expect(stored.filter((name) => !read.has(name)).sort()).toEqual(['digest', 'key'])
  })

  const types = Object.entries(ROWS).flatMap(([file, rows]) =>
    Object.entries(rows).map(([name, queries]) => ({ file, name, queries })),
  )
  test.each(types)('$name declares what its queries answer', async ({ file, name, queries }) => {
    const declared = columnsOf(`${FOLDER}${file}.ts`, name)
    const answered: Record<string, string>[] = []
    for (const query of queries) answered.push(await answeredColumns(query))
    for (const columns of answered) expect(Object.keys(columns).sort()).toEqual(Object.keys(declared).sort())
    for (const [column, { type }] of Object.entries(declared)) {
      const classes = new Set(answered.flatMap((columns) => columns[column]!.split(' | ')))
      expect(`${column}: ${[...classes].sort().join(' | ')}`).toBe(`${column}: ${type}`)
    }
  })
})

test('every row type beside the queries is compared with its queries', () => {
  const found = readdirSync(FOLDER).flatMap((file) =>
    [...readFileSync(FOLDER + file, 'utf8').matchAll(ROW_TYPE)].map(([, name]) => name!),
  )
  const compared = Object.values(ROWS).flatMap((rows) => Object.keys(rows))
  expect(found.filter((name) => !IN_MEMORY.has(name)).sort()).toEqual(compared.sort())
})
