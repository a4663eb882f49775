import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { applyViews, viewStatement } from '../../../../connectors/history/migrations/views.ts'
import {
  accountStatement,
  ledgerStatement,
  noteStatement,
  passwordStatement,
  placeStatements,
  viewStatements,
} from '../../../../connectors/history/sql-users/server-users.ts'
import { SQL_USER_DEFAULTS } from '../../../../connectors/history/sql-users/user.ts'
import { type AnalystStore, SETS, VERDICTS_EVERY, VIEWS } from '../../../builders/analysts/analysts.ts'
import { USUAL } from '../../../builders/analysts/usual-sql.ts'
import { ask } from '../../../builders/history/stores.ts'

const DOCUMENT = readFileSync('docs/integrate/sql-views.md', 'utf8')

let store: AnalystStore

const rows = async (name: string, sql: string): Promise<Record<string, unknown>[]> => {
  const { status, text } = await store.ask(name, sql, { default_format: 'JSONEachRow' })
  expect([status, status === 200 ? '' : text]).toEqual([200, ''])
  return text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
const one = async (name: string, sql: string) => (await rows(name, sql))[0]!

/** Entities of the sets that this user reads, and how many differ: all but those of `red` have the same names. */
const readable = (group: string) => SETS.filter(({ groups }) => groups.includes('public') || groups.includes(group))

export function viewsForAnalysts(opened: () => AnalystStore): void {
  beforeAll(() => {
    store = opened()
  })

  describe('views for analysts', () => {
    test.each(['soc', 'red', 'guest'])(
      'hold what the groups of %s may read, one row for each audience',
      async (name) => {
        const sets = readable(name)
        const entities = sets.reduce((sum, set) => sum + set.entities, 0)
        const distinct = Math.max(...sets.filter(({ groups }) => groups.join() !== 'red').map((set) => set.entities))
        const secret = name === 'red' ? 30 : 0
        const found = await one(
          name,
          'SELECT count() AS n, uniqExact(entity) AS d, max(reputation) AS best FROM bi_entities',
        )
        // The earlier versions of all rows say 3, and are not to be seen; some later ones do.
        expect(found).toEqual({ n: String(entities), d: String(distinct + secret), best: 3 })
        const decided = sets.reduce((sum, set) => sum + Math.ceil(set.entities / VERDICTS_EVERY), 0)
        expect(await one(name, 'SELECT count() AS n, countIf(reputation IS NULL) AS no FROM bi_history')).toEqual({
          n: String(2 * (entities + decided)),
          no: String(entities + decided),
        })
        expect(await one(name, "SELECT count() AS n FROM bi_history WHERE kind = 'verdict'")).toEqual({
          n: String(2 * decided),
        })
        const silent = sets.reduce((sum, set) => sum + Math.floor(set.entities / 6), 0)
        expect(await one(name, 'SELECT count() AS n, countIf(reputation IS NULL) AS no FROM bi_claims')).toEqual({
          n: String(2 * entities),
          no: String(silent),
        })
        const daily =
          'SELECT sum(new_entities) AS new, sum(records) AS r, sum(sightings) AS s, sum(malicious) AS m FROM bi_daily'
        const malicious = sets.reduce(
          (sum, set) => sum + [...Array(set.entities).keys()].filter((n) => n % 7 < 3).length,
          0,
        )
        // A verdict is no report: it is neither a record of the day nor a sighting, and nothing malicious was reported.
        expect(await one(name, daily)).toEqual({
          new: String(entities),
          r: String(2 * entities),
          s: String(entities),
          m: String(malicious),
        })
        expect(await one(name, 'SELECT sum(entities) AS n, sum(malicious) AS m FROM bi_asn')).toEqual({
          n: String(entities),
          m: String(malicious),
        })
      },
    )

    test('name feeds and no other source', async () => {
      expect(await rows('soc', "SELECT DISTINCT feed FROM bi_claims WHERE source_kind = 'feed' ORDER BY feed")).toEqual(
        ['feed-0', 'feed-1', 'feed-2'].map((feed) => ({ feed })),
      )
      expect(await rows('soc', "SELECT DISTINCT feed FROM bi_claims WHERE source_kind != 'feed'")).toEqual([
        { feed: '' },
      ])
    })

    test.each(VIEWS)('%s names no customer that reported', async (view) => {
      const { status, text } = await store.ask('soc', `SELECT * FROM ${view} FORMAT TSV`)
      expect([status, /customer-\d/.exec(text)]).toEqual([200, null])
    })

    test.each(VIEWS)('%s has the columns of its table in the document, in that order', async (view) => {
      const section = DOCUMENT.split(`### ${view}\n`)[1]!.split('\n#')[0]!
      const lines = [...section.matchAll(/^\| (`[^|]+`) \|/gm)].map(([, names]) => names!)
      const documented = lines.flatMap((names) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name))
      expect((await rows('soc', `DESCRIBE TABLE ${view}`)).map(({ name }) => name)).toEqual(documented)
    })

    test('every query of the document finds something', async () => {
      const queries = [...DOCUMENT.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql!)
      expect(queries.length).toBe(10)
      for (const sql of queries) expect([sql, (await rows('soc', sql)).length > 0]).toEqual([sql, true])
    })

    test('answer every panel of the dashboard', async () => {
      const panels = JSON.parse(readFileSync('infra/monitoring/grafana/dashboards/threats.json', 'utf8'))
      const asked = [...JSON.stringify(panels).matchAll(/"rawSql":("(?:[^"\\]|\\.)*")/g)].map(([, sql]) =>
        JSON.parse(sql!),
      )
      expect(asked.length).toBeGreaterThan(10)
      for (const sql of asked) {
        const { status, text } = await store.ask('guest', sql)
        expect([sql, status, status === 200 ? '' : text]).toEqual([sql, 200, ''])
      }
    })

    test.each(USUAL)('are asked in the usual forms of SQL: %s', async (sql) => {
      const { status, text } = await store.ask('soc', sql, { param_x: 'a', param_n: '3', param_l: "['x']" })
      expect([status, status === 200 ? '' : text]).toEqual([200, ''])
    })

    test('follow the database that they are told to read', async () => {
      await store.history.command('CREATE DATABASE IF NOT EXISTS harrier_g1 ENGINE = Atomic')
      for (const table of ['entities', 'history', 'audiences'])
        await store.history.command(`CREATE TABLE harrier_g1.${table} AS harrier.${table}`)
      await store.history.command(
        "INSERT INTO harrier_g1.entities SELECT * FROM harrier.entities WHERE value LIKE '%-1.%'",
      )
      expect(await applyViews(store.history, 'harrier_g1', { mode: 'single' })).toEqual([...VIEWS, 'sql_audiences'])
      const sql = 'SELECT count() AS n FROM bi_entities'
      // At no moment are there rows that only others may read: there are four in the new one, three of them readable.
      const told = new Set<unknown>()
      for (const until = performance.now() + 1500; performance.now() < until; ) {
        const asked = await Promise.all([one('soc', sql), one('soc', sql)])
        for (const { n } of asked) told.add(n)
      }
      expect([...told].filter((n) => n !== '70' && n !== '3')).toEqual([])
      await expect.poll(() => one('soc', sql), { timeout: 5000 }).toEqual({ n: '3' })
      expect(await one('red', sql)).toEqual({ n: '3' })
      await applyViews(store.history, 'harrier', { mode: 'single' })
      await expect.poll(() => one('soc', sql), { timeout: 5000 }).toEqual({ n: '70' })
    })

    test.each([
      ['$view(bi_x) AS $other(y)', 'unknown macro $other'],
      ['$view(bi_y) AS SELECT 1', 'creates a view with another name: bi_y'],
    ])('%s is refused', (sql, why) =>
      expect(() => viewStatement(sql, 'bi_x', 'harrier', { mode: 'single' })).toThrow(why),
    )
  })

  describe('the views of a SQL user of a server', () => {
    const user = { name: 'ann', groups: ['soc'], ...SQL_USER_DEFAULTS }

    test('hold the very rows that the embedded engine tells such a user', async () => {
      await store.history.command('CREATE DATABASE harrier_sql_ann ENGINE = Atomic')
      // The embedded engine has no users, so no definers either.
      for (const sql of viewStatements(user, VIEWS, 'harrier'))
        await store.history.command(sql.replace(' DEFINER = CURRENT_USER SQL SECURITY DEFINER', ''))
      for (const view of VIEWS) {
        // The freshness of a source is of the moment of the question.
        const columns = view === 'bi_sources' ? '* REPLACE (round(freshness, 2) AS freshness)' : '*'
        const sql = `SELECT ${columns} FROM ${view} ORDER BY ALL`
        const all = await ask(store.engine, { database: 'harrier_sql_ann', default_format: 'CSV' }, sql)
        expect(all.status).toBe(200)
        expect(all.text).toBe((await store.ask('soc', sql, { default_format: 'CSV' })).text)
      }
      await store.history.command('DROP DATABASE harrier_sql_ann')
    })

    test('are made by statements that the parser of the engine knows', async () => {
      const statements = [
        accountStatement(user, 'secret', ['10.0.0.0/8']),
        ...placeStatements(user, VIEWS, 'harrier'),
        passwordStatement('ann', 'other'),
        ledgerStatement('harrier'),
        noteStatement(user, 'harrier', false),
      ]
      for (const sql of statements) {
        const found = await store.history.query<{ f: string }>({
          sql: 'SELECT formatQuerySingleLine({sql:String}) AS f',
          params: { sql },
        })
        expect(found[0]!.f.slice(0, 6)).toBe(sql.slice(0, 6))
      }
    })
  })

  describe('the bounds of a SQL user', () => {
    beforeAll(async () => {
      await store.user('small', ['soc'], { seconds: 1, memoryBytes: 64 * 2 ** 20, rows: 10 })
    })

    test.each([
      ['time', 'SELECT sum(cityHash64(number)) FROM numbers(1000000000000)', '159'],
      ['memory', 'SELECT groupArray(toString(number)) FROM numbers(100000000)', '241'],
      ['rows', 'SELECT * FROM bi_entities', '396'],
    ])('end a query that needs more %s', async (_, sql, code) => {
      const { headers, text } = await store.ask('small', sql)
      expect([headers.get('x-clickhouse-exception-code'), text.slice(0, 5)]).toEqual([code, 'Code:'])
    })

    test('let a client say less, and not more', async () => {
      expect((await store.ask('small', 'SELECT * FROM numbers(8)', { max_result_rows: '5' })).status).toBe(500)
      expect((await store.ask('small', 'SELECT * FROM numbers(12)', { max_result_rows: '500' })).status).toBe(500)
      expect((await store.ask('small', 'SELECT * FROM numbers(10)')).status).toBe(200)
    })

    test('refuse more queries than may wait, and never keep the platform waiting', async () => {
      const long = 'SELECT sum(cityHash64(number)) FROM numbers(1000000000000)'
      const many = Array.from({ length: 14 }, () => store.ask('small', long))
      const from = performance.now()
      await store.history.query({ sql: 'SELECT count() FROM entities', params: {} })
      expect(performance.now() - from).toBeLessThan(1500)
      const codes = (await Promise.all(many)).map(({ headers }) => headers.get('x-clickhouse-exception-code'))
      expect(codes.filter((code) => code === '202').length).toBe(4)
    })

    test('let nobody in with a wrong password, or with none', async () => {
      for (const headers of [
        { 'x-clickhouse-user': 'soc', 'x-clickhouse-key': 'wrong' },
        { 'x-clickhouse-user': 'soc' },
        {},
      ])
        expect((await fetch(store.engine.url, { method: 'POST', headers, body: 'SELECT 1' })).status).toBe(401)
    })
  })
}
