import { existsSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type AnalystStore, CANARY, fillForAnalysts, PASSWORD, SETS } from '../../../builders/analysts/analysts.ts'
import { COMMENTS, ODD } from '../../../builders/analysts/hostile-pieces.ts'
import { REFUSED, SLY } from '../../../builders/analysts/hostile-sql.ts'

/** The ways in which a text may turn up in an answer. */
const TRACES = [CANARY, CANARY.toUpperCase(), [...CANARY].reverse().join('')].flatMap((text) => [
  text,
  Buffer.from(text).toString('hex').toUpperCase(),
  Buffer.from(text).toString('base64').slice(1, -4),
])
const trace = (text: string): string | undefined => TRACES.find((of) => text.includes(of))

export const MINE = SETS.filter(({ groups }) => groups.join() !== 'red')
const OTHERS = SETS.filter(({ groups }) => groups.join() === 'red')

const RUNS = Number(process.env.HARRIER_SQL_RUNS ?? 40)

/** Fragments, put together to statements that are mostly right; what is not is refused all the same. */
const of = (...texts: string[]): fc.Arbitrary<string> => fc.constantFrom(...texts)
const column = of('a.value', 'a.type', 'a.audience', 'a.entity', 'a.reputation')
const view = of('bi_entities', 'bi_history', 'bi_claims', 'harrier.bi_entities')
const place = fc.oneof(
  { weight: 30, arbitrary: view },
  {
    weight: 1,
    arbitrary: of('harrier.entities', 'entities', "merge('harrier', '.*')", 'harrier.`history`', 'system.parts'),
  },
)
const called = (...names: string[]) => fc.tuple(of(...names), column).map(([f, x]) => `${f}(toString(${x}))`)
const plain = fc.oneof(column, called('hex', 'reverse', 'upper', 'length', 'base64Encode', 'SHA256'))
const total = fc.oneof(
  // The values of the last but one come in the order of the threads that met them.
  called('max', 'min', 'uniqExact', 'entropy', 'groupUniqArray', 'sumIf(1, 1) + count').map((call) =>
    call.startsWith('groupUniqArray') ? `arraySort(${call})` : call,
  ),
  of('count()', "countIf(a.value LIKE '%vogel%')", 'sum(cityHash64(a.entity))', 'max(length(a.value))'),
)
const condition = fc.oneof(
  fc.tuple(column, of('LIKE', 'NOT LIKE')).map(([x, like]) => `toString(${x}) ${like} '%vogel%'`),
  column.map((x) => `throwIf(toString(${x}) LIKE '%vogel%') = 0`),
  column.map((x) => `intDiv(1, toString(${x}) NOT LIKE '%vogel%') = 1`),
  column.map((x) => `toUInt64(if(toString(${x}) LIKE '%vogel%', toString(${x}), '1')) = 1`),
  fc.tuple(of('value', 'entity', 'audience'), view).map(([x, from]) => `a.${x} IN (SELECT ${x} FROM ${from})`),
  of('1', 'a.audience != 0', 'a.reputation < 0', "toIPv4(replaceOne(a.value, a.value, '1.1.1.1')) != toIPv4(1)"),
)
const select = fc
  .record({
    what: fc.oneof(
      fc.array(plain, { minLength: 1, maxLength: 3 }),
      fc.array(total, { minLength: 1, maxLength: 3 }),
      fc.tuple(column, total),
    ),
    from: place,
    join: fc.option(
      fc.tuple(
        of('JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'LEFT ANTI JOIN', 'LEFT SEMI JOIN', 'FULL JOIN'),
        view,
        of(
          'value',
          'entity',
          "if(NAME.value LIKE '%vogel%', toUInt64(NAME.value), 1)",
          'throwIf(length(NAME.value) > 60)',
        ),
      ),
      { freq: 3 },
    ),
    where: fc.option(fc.array(condition, { minLength: 1, maxLength: 3 }), { freq: 4 }),
  })
  .map(({ what, from, join, where }) => {
    const on = (name: string): string =>
      join?.[2].includes('NAME') ? join[2].replaceAll('NAME', name) : `${name}.${join?.[2]}`
    return (
      `SELECT ${what.join(', ')} FROM ${from} AS a` +
      (join === null ? '' : ` ${join[0]} ${join[1]} AS b ON ${on('a')} = ${on('b')}`) +
      (where === null ? '' : ` WHERE ${where.join(' AND ')}`) +
      (what.length === 2 && what[0]!.startsWith('a.') ? ` GROUP BY ${what[0]}` : '')
    )
  })
const statement = fc.oneof(
  { weight: 6, arbitrary: select },
  { weight: 1, arbitrary: fc.tuple(select, select).map(([a, b]) => `${a} UNION ALL ${b}`) },
  { weight: 1, arbitrary: select.map((inner) => `SELECT * FROM (${inner}) ORDER BY 1`) },
  { weight: 1, arbitrary: select.map((inner) => `WITH bi_entities AS (${inner}) SELECT * FROM bi_entities`) },
)

/** Hostile statements with comments and odd tokens between their words, and before and after them. */
const between = fc.oneof(
  { weight: 24, arbitrary: fc.constant(' ') },
  { weight: 4, arbitrary: fc.constantFrom(...COMMENTS).map((of) => ` ${of} `) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD, ...COMMENTS) },
)
const mangled = fc
  .oneof(fc.constantFrom(...Object.values(REFUSED).flat()), fc.constantFrom(...SLY))
  .chain((sql) =>
    fc.tuple(fc.constant(sql.split(/(?<=[ (])|(?=[(),.;])/)), fc.array(between, { minLength: 30, maxLength: 30 })),
  )
  .map(([words, pieces]) => words.map((word, i) => `${word}${/[ ]$/.test(word) ? pieces[i % 30] : ''}`).join(''))

/** @param opened a store without the rows of `OTHERS`: the first test adds them */
export function hostileStatements(opened: () => AnalystStore): void {
  let store: AnalystStore
  const told = async (sql: string) => {
    const { status, text, headers } = await store.ask('soc', sql, { default_format: 'JSONEachRow' })
    expect(trace(text), sql).toBe(undefined)
    // An error is the same by its code: its words may name whichever row was met first.
    const lines = status === 200 ? text.split('\n').sort() : [headers.get('x-clickhouse-exception-code')]
    const { read_rows, result_rows } = JSON.parse(headers.get('x-clickhouse-summary') ?? '{}') as Record<string, string>
    return { sql, status, lines, read_rows, result_rows }
  }
  const explains = ['EXPLAIN', 'EXPLAIN AST', 'EXPLAIN QUERY TREE', 'EXPLAIN PIPELINE', 'EXPLAIN ESTIMATE', 'DESCRIBE']
  const statements = [
    ...SLY,
    ...SLY.filter((sql) => /^(SELECT|WITH)/.test(sql)).map((sql, i) => `${explains[i % explains.length]} ${sql}`),
    ...fc.sample(statement, { numRuns: RUNS, seed: 20_261 }),
    ...fc.sample(mangled, { numRuns: 5 * RUNS, seed: 20_262 }),
  ]

  beforeAll(() => {
    store = opened()
  })

  test('is told the very same, whatever it asks, with and without rows of another group', async () => {
    const before = []
    for (const sql of statements) before.push(await told(sql))
    // Most statements have to mean something, or this would show nothing.
    expect(before.filter(({ status }) => status === 200).length).toBeGreaterThan(RUNS / 2)
    expect(before.filter(({ sql, status }) => status === 200 && /\/\/|--|#|\/\*/.test(sql)).length).toBeGreaterThan(
      RUNS / 8,
    )
    await fillForAnalysts(store.history, OTHERS)
    const [seen] = JSON.parse(
      `[${(await store.ask('red', `SELECT count() AS n FROM bi_entities WHERE value LIKE '${CANARY}%' FORMAT JSONEachRow`)).text}]`,
    )
    expect(Number(seen.n)).toBe(30)
    for (const answer of before) {
      // What a client sees of the catalogue and of the moment may change by itself.
      if (/system\.|sys_|now\(/.test(answer.sql)) expect(trace(JSON.stringify(await told(answer.sql)))).toBe(undefined)
      else expect(await told(answer.sql)).toEqual(answer)
    }
  }, 240_000)

  test.each(Object.entries(REFUSED))('is refused %s', async (_, list) => {
    for (const sql of list) {
      for (const user of ['soc', 'guest']) {
        const answer = await store.ask(user, sql, { param_t: 'entities', param_d: 'harrier' })
        expect([sql, answer.status >= 400 && answer.status < 500]).toEqual([sql, true])
        expect(trace(answer.text)).toBe(undefined)
      }
    }
    expect(existsSync('/tmp/harrier-hostile-out')).toBe(false)
  })

  test('meets at least 150 statements of that kind', () => {
    expect(Object.values(REFUSED).flat().length).toBeGreaterThan(150)
  })

  test.each([
    ['additional_table_filters', "{'harrier.entities':'1'}"],
    ['readonly', '0'],
    ['max_execution_time', '100000'],
    ['allow_ddl', '1'],
    ['database', 'harrier'],
    ['role', 'admin'],
    ['session_id', 'x'],
    ['optimize_move_to_prewhere', '1'],
    ['optimize_move_to_prewhere', '0'],
    ['optimize_use_projections', '1'],
    ['output_format_write_statistics', '1'],
  ])('gains nothing by the setting %s', async (name, value) => {
    const answer = await store.ask('soc', 'SELECT * FROM bi_entities', { [name]: value })
    // What is not applied is refused by its name.
    if (answer.status !== 200) expect([answer.status < 500, answer.text]).toEqual([true, expect.stringContaining(name)])
    expect(trace(answer.text)).toBe(undefined)
    const { status } = await store.ask('soc', 'CREATE TABLE x (a UInt8) ENGINE = Memory', { [name]: value })
    expect(status).toBe(name === 'role' ? 404 : 403)
  })

  test.each([['system'], ['home2'], ['harrier_sql'], ['information_schema']])(
    'has no database %s',
    async (database) => {
      expect((await store.ask('soc', 'SELECT 1', { database })).status).toBe(404)
    },
  )

  test('finds the same statements refused in a multipart form and in the URL', async () => {
    const url = `${store.engine.url}/?${new URLSearchParams({ query: 'SELECT * FROM harrier.entities' })}`
    const headers = { 'x-clickhouse-user': 'soc', 'x-clickhouse-key': PASSWORD }
    expect((await fetch(url, { headers })).status).toBe(404)
    const form = new FormData()
    form.set('query', "SELECT * FROM merge('harrier', 'entities')")
    expect((await fetch(store.engine.url, { method: 'POST', headers, body: form })).status).toBe(403)
  })

  test('has no other way in: URL and body together, gzip, parts of a form, headers, settings, parameters', async () => {
    const attack = "SELECT 1 // '\n; SELECT value FROM harrier.entities //'"
    const [head, tail] = ["SELECT 1 // '", "; SELECT value FROM harrier.entities //'"]
    const form = (...queries: string[]): FormData => {
      const data = new FormData()
      for (const query of queries) data.append('query', query)
      return data
    }
    const ways: [Record<string, string>, RequestInit][] = [
      [{ query: attack }, { method: 'GET' }],
      [{ query: attack }, { body: '' }],
      [{ query: head }, { body: tail }],
      [{}, { body: gzipSync(attack), headers: { 'content-encoding': 'gzip' } }],
      [{}, { body: form(attack) }],
      [{}, { body: form(head, `\n${tail}`) }],
      [{ query: head }, { body: form(`\n${tail}`) }],
      [{}, { body: 'SELECT 1', headers: { 'x-clickhouse-format': "CSV' INTO OUTFILE '/tmp/harrier-hostile-out" } }],
      [{}, { body: 'SELECT 1', headers: { 'x-clickhouse-database': 'system' } }],
      [{ default_format: 'CSV INTO OUTFILE' }, { body: 'SELECT 1' }],
      [{ database: 'harrier`; SELECT 2; --' }, { body: 'SELECT 1' }],
      [{ 'max_threads=1, readonly': '0' }, { body: 'SELECT 1' }],
      [{ dialect: 'prql', allow_experimental_prql_dialect: '1' }, { body: 'from harrier.entities' }],
      [{}, { body: Buffer.from(attack, 'utf16le') }],
      [{}, { body: `\ufeff${attack}` }],
    ]
    for (const [params, how] of ways) {
      const credentials = { 'x-clickhouse-user': 'guest', 'x-clickhouse-key': PASSWORD }
      const headers = { ...credentials, ...(how.headers as Record<string, string>) }
      const response = await fetch(`${store.engine.url}/?${new URLSearchParams(params)}`, {
        method: 'POST',
        ...how,
        headers,
      })
      const text = await response.text()
      expect([params, how.body, response.status >= 400 && response.status < 500]).toEqual([params, how.body, true])
      expect(trace(text)).toBe(undefined)
    }
    // What a parameter or a name of a query holds is never read as SQL.
    for (const value of ["1'; SELECT 2 --", "'//\n; SELECT 2", '{x:Identifier}']) {
      const escaped = value.replaceAll('\n', '\\n')
      const { status, text } = await store.ask('guest', 'SELECT {x:String} FORMAT TSVRaw', {
        param_x: escaped,
        query_id: value,
      })
      expect([status, text]).toEqual([200, `${value}\n`])
    }
    expect(existsSync('/tmp/harrier-hostile-out')).toBe(false)
  })
}
