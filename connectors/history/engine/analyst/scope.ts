import { hash } from 'node:crypto'
import { promiseCache } from '../../../../platform/promise-cache.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import { CONFINED } from '../rights.ts'
import type { EngineSessions } from '../sessions.ts'
import { quotedName as quoted, literal as text } from '../statement/literals.ts'
import { catalogueStatements, emptyNamed, OPEN } from './catalogue.ts'
import type { Names } from './names.ts'

/**
 * The databases that SQL users are confined to, with copies of the views for analysts and of the catalogue. Each stays
 * as it was made: when the views change, say to read another generation, there is another database. So a question
 * never meets a view whose tables its filters do not know.
 */
/** The one before is kept for questions that run. */
const KEPT = 2

/**
 * Nothing that stands above a LIMIT is moved below it. Without this the engine evaluates conditions of a user before the
 * filter of its rows, and an error that one of them raises names a value of a row that nobody may see.
 */
const BARRIER = 'LIMIT 18446744073709551615'
const MAX_AUDIENCES = 10_000
const TTL_MS = 1000
const MAX_CACHED = 1000

const PUBLIC = audienceId(['public'])
const OWN = "('system', 'information_schema', 'INFORMATION_SCHEMA', 'default')"

export type AnalystScope = Names & {
  /** Where statements run. */
  confined: string
  /** The settings of the engine, with the values that they have by themselves. */
  settings: ReadonlyMap<string, string>
  /**
   * Makes what a statement needs and that is not made at once: the empty ones of `names`, and to explain it a database
   * of tables without rows that look like the views. @returns the database to run in
   */
  ready(names: readonly string[], hollow: boolean): Promise<string>
  /** The setting `additional_table_filters`: of every table that holds rows, whether a view reads it or not. */
  filters: string
}

type ScopeTable = { database: string; name: string; audience: boolean }

/**
 * What a user of these groups may reach, as of at most a second ago: staleness hides rows that are new to it and never
 * shows more, since an audience never changes its groups.
 * @param home the database with the views for analysts
 */
export const scopes = (sessions: Pick<EngineSessions, 'run'>, home: string, now: () => number) => {
  const never = new AbortController().signal
  const settings = { max_execution_time: '30', max_result_rows: '0', output_format_json_quote_64bit_integers: '1' }

  const run = async (sql: string, lane: 'read' | 'insert'): Promise<string> => {
    const operation = { sql, lane, format: 'JSONEachRow', database: 'home', settings, params: {} }
    return Buffer.from((await sessions.run(operation, never)).bytes).toString()
  }
  const rows = async <Row>(sql: string): Promise<Row[]> =>
    (await run(sql, 'read'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row)
  const make = (sql: string): Promise<string> => run(sql, 'insert')

  const hollowOf = (confined: string): string => `${confined}_hollow`
  const makeHollow = async (confined: string): Promise<string> => {
    const hollow = hollowOf(confined)
    const tables = await rows<{ name: string }>(`SELECT name FROM system.tables WHERE database = ${text(confined)}`)
    await make(`CREATE DATABASE IF NOT EXISTS ${hollow} ENGINE = Atomic`)
    for (const name of tables.map((table) => quoted(table.name)))
      await make(`CREATE TABLE IF NOT EXISTS ${hollow}.${name} AS ${confined}.${name} ENGINE = Null`)
    return hollow
  }
  /** What was made, by its database and name: until the next confined database, which may have the name of a former one. */
  const madeThings = () => promiseCache<string>({ max: MAX_CACHED, ttlMs: Number.MAX_SAFE_INTEGER, now })
  let lazily = madeThings()
  const ready = async (confined: string, names: readonly string[], hollow: boolean): Promise<string> => {
    const database = hollow ? await lazily.get(hollowOf(confined), () => makeHollow(confined)) : confined
    for (const name of names) {
      const sql = emptyNamed(database, name)
      if (sql !== undefined) await lazily.get(`${database}.${name}`, () => make(sql))
    }
    return database
  }

  const made: string[] = []
  /** Makes the confined database of the views as they are, unless it is there. @returns its name */
  const mirror = async (): Promise<string> => {
    const views = await rows<{ name: string; sql: string }>(
      `SELECT name, as_select AS sql FROM system.tables WHERE database = ${text(home)} AND engine = 'View'
        AND startsWith(name, 'bi_') ORDER BY name`,
    )
    const confined = `${CONFINED}${hash('sha256', JSON.stringify(views)).slice(0, 16)}`
    if (made.at(-1) === confined) return confined
    await make(`CREATE DATABASE IF NOT EXISTS ${confined} ENGINE = Atomic`)
    for (const sql of catalogueStatements(confined, home)) await make(sql)
    for (const { name, sql } of views)
      await make(`CREATE OR REPLACE VIEW ${confined}.${quoted(name)} ${OPEN} AS SELECT * FROM (${sql}) ${BARRIER}`)
    made.push(confined)
    lazily = madeThings()
    const there = await rows<{ name: string }>(
      `SELECT name FROM system.databases WHERE startsWith(name, '${CONFINED}')`,
    )
    const kept = made.slice(-KEPT).flatMap((name) => [name, hollowOf(name)])
    const gone = there.filter(({ name }) => !kept.includes(name))
    for (const { name } of gone) await make(`DROP DATABASE IF EXISTS ${quoted(name)}`)
    return confined
  }

  const readCatalogue = async () => {
    const confined = await mirror()
    // After the views: whatever they read is among these.
    const databases = await rows<{ name: string }>('SELECT name FROM system.databases')
    const tables = await rows<ScopeTable>(
      `SELECT database, name, (database, name) IN (SELECT database, table FROM system.columns
          WHERE name = 'audience' AND type = 'UInt64') AS audience
        FROM system.tables WHERE database NOT IN ${OWN} AND engine NOT IN ('View', 'MaterializedView')
          AND NOT (startsWith(database, '${CONFINED}') AND engine = 'Null')`,
    )
    const settings = await rows<{ name: string; value: string }>('SELECT name, default AS value FROM system.settings')
    const functions = await rows<{ name: string }>('SELECT DISTINCT lower(name) AS name FROM system.functions')
    return {
      confined,
      databases: new Set(databases.map(({ name }) => name.toLowerCase())),
      functions: new Set(functions.map(({ name }) => name)),
      settings: new Map(settings.map(({ name, value }) => [name, value])),
      tables,
    }
  }
  const catalogues = promiseCache<Awaited<ReturnType<typeof readCatalogue>>>({ max: 1, ttlMs: TTL_MS, now })
  const catalogue = () => catalogues.get('', readCatalogue)

  /** The rule of every reader (decisions 2.4): the audiences that meet its groups, and public. */
  const readAudiences = async (all: readonly string[]): Promise<string[]> => {
    const groups = all.filter((group) => group !== 'public')
    const { tables } = await catalogue()
    const of = tables.filter(({ name }) => name === 'audiences')
    if (groups.length === 0 || of.length === 0) return [String(PUBLIC)]
    const meets = `hasAny(groups, [${groups.map(text).join(', ')}])`
    const each = of.map(({ database }) => `SELECT audience FROM ${quoted(database)}.audiences WHERE ${meets}`)
    const found = await rows<{ audience: string }>(
      `SELECT DISTINCT audience FROM (${each.join(' UNION ALL ')}) ORDER BY audience LIMIT ${MAX_AUDIENCES}`,
    )
    return [...new Set([String(PUBLIC), ...found.map(({ audience }) => audience)])]
  }
  const audiences = promiseCache<string[]>({ max: MAX_CACHED, ttlMs: TTL_MS, now })

  return async (groups: readonly string[]): Promise<AnalystScope> => {
    const sorted = [...groups].sort()
    const [readable, { confined, databases, functions, settings, tables }] = await Promise.all([
      audiences.get(JSON.stringify(sorted), () => readAudiences(sorted)),
      catalogue(),
    ])
    const within = `audience IN (${readable.join(', ')})`
    const filters = tables.map(
      ({ database, name, audience }) => `${text(`${database}.${name}`)}:${text(audience ? within : '0')}`,
    )
    return {
      confined,
      databases,
      functions,
      settings,
      filters: `{${filters.join(', ')}}`,
      ready: (names, hollow) => ready(confined, names, hollow),
    }
  }
}
