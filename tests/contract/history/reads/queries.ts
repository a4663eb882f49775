import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { History } from '../../../../connectors/history/port.ts'
import { ask, type OpenStore } from '../../../builders/history/stores.ts'
import { during } from '../../../builders/suite/during.ts'

const HEAVY = 'SELECT sum(cityHash64(number)) AS n FROM numbers(1000000000000)'
const rejects = (promise: Promise<unknown>): Promise<{ code?: string; message: string }> =>
  promise.then(
    () => ({ message: 'it did not reject' }),
    (error: Error & { code?: string }) => error,
  )

export function boundedQueries(open: OpenStore): void {
  const store = during(open)
  let history: History
  let database: string

  beforeAll(async () => {
    ;({ history, database } = await store.fresh())
  })

  const count = async (): Promise<number> => {
    const sql =
      'SELECT count() AS n FROM system.processes WHERE query LIKE {mark:String} AND query NOT LIKE {own:String}'
    const rows = await history.query<{ n: string }>({ sql, params: { mark: '%1000000000000%', own: '%processes%' } })
    return Number(rows[0]!.n)
  }

  test.each([
    ['quotes', `'"\`''\\'`],
    ['backslashes', '\\ \\\\ \\n \\N \\0'],
    ['line breaks and an empty line', 'a\nb\r\n\n; DROP TABLE x'],
    ['NUL', 'a\0b'],
    ['emoji', '😀 ünï'],
    ['tabs', 'a\tb'],
    ['the words of a placeholder', '{x:String} {{ }} $1 ?'],
    ['nothing', ''],
  ])('a bound text comes back as it was: %s', async (_, text) => {
    const sql = 'SELECT {text:String} AS text, {list:Array(String)} AS list, {map:Map(String, String)} AS map'
    const rows = await history.query({ sql, params: { text, list: [text, 'b'], map: { k: text } } })
    expect(rows).toEqual([{ text, list: [text, 'b'], map: { k: text } }])
  })

  test('any text comes back as it was', async () => {
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), 300)
    const rows = await history.query<{ t: string[] }>({ sql: 'SELECT {t:Array(String)} AS t', params: { t: texts } })
    expect(rows[0]!.t).toEqual(texts)
  })

  test('64-bit integers arrive as strings, other values in their own types', async () => {
    const sql = "SELECT {n:UInt64} AS n, toInt8(-3) AS r, NULL AS none, [1.5] AS list, map('a', 'b') AS m"
    const rows = await history.query({ sql, params: { n: 2n ** 64n - 1n } })
    expect(rows).toEqual([{ n: '18446744073709551615', r: -3, none: null, list: [1.5], m: { a: 'b' } }])
  })

  test('fifty thousand keys may be bound at once', async () => {
    const keys = Array.from({ length: 50_000 }, (_, i) => 2n ** 64n - 1n - BigInt(i))
    const sql =
      'SELECT length({keys:Array(UInt64)}) AS n, max(k) AS last FROM (SELECT arrayJoin({keys:Array(UInt64)}) AS k)'
    expect(await history.query({ sql, params: { keys } })).toEqual([{ n: '50000', last: '18446744073709551615' }])
  })

  test('a parameter that is missing is an error, even when an earlier query bound it', async () => {
    await history.query({ sql: 'SELECT {a:String} AS a', params: { a: 'secret' } })
    expect(await rejects(history.query({ sql: 'SELECT {a:String} AS a', params: {} }))).toMatchObject({ code: '456' })
  })

  test('settings of one query do not reach the next', async () => {
    const narrow = { max_result_rows: '1', result_overflow_mode: 'throw', database }
    expect((await ask(store.access, narrow, 'SELECT number FROM numbers(100000)')).status).not.toBe(200)
    const wide = await ask(store.access, { database }, 'SELECT number FROM numbers(3)')
    expect(wide).toMatchObject({ status: 200, text: '0\n1\n2\n' })
  })

  test('queries side by side keep their own parameters and settings', async () => {
    const sql = "SELECT {i:UInt32} AS i, getSetting('max_threads') AS threads, sleep(0.01) AS s"
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        ask(store.access, { param_i: String(i), max_threads: String(1 + (i % 7)) }, `${sql} FORMAT JSONEachRow`),
      ),
    )
    const seen = answers.map(({ text }) => JSON.parse(text) as { i: number; threads: string })
    expect(seen.map(({ i, threads }) => [i, Number(threads)])).toEqual(answers.map((_, i) => [i, 1 + (i % 7)]))
  })

  test('a query that fails half-way leaves nothing in the next result', async () => {
    const sql =
      "SELECT number, throwIf(number = 90000, 'half-way') AS t FROM numbers(100000) SETTINGS max_block_size = 100"
    for (let round = 0; round < 5; round++) {
      expect(await rejects(history.query({ sql, params: {} }))).toMatchObject({ code: '395' })
      expect(await history.query({ sql: 'SELECT 1 AS one', params: {} })).toEqual([{ one: 1 }])
    }
  })

  test('a query over its time ends with TIMEOUT_EXCEEDED', async () => {
    const { history: brief } = await store.fresh({ seconds: 1, memoryBytes: 1e9, rows: 10 })
    const from = performance.now()
    expect(await rejects(brief.query({ sql: HEAVY, params: {} }))).toMatchObject({ code: '159' })
    expect(performance.now() - from).toBeLessThan(5000)
  })

  test('a query over its memory ends with MEMORY_LIMIT_EXCEEDED', async () => {
    const { history: small } = await store.fresh({ seconds: 20, memoryBytes: 20_000_000, rows: 10 })
    const sql = 'SELECT length(groupArray(number)) AS n FROM numbers(100000000)'
    expect(await rejects(small.query({ sql, params: {} }))).toMatchObject({ code: '241' })
  })

  test('an answer over its rows ends with an error, not with a part of the answer', async () => {
    const { history: few } = await store.fresh({ seconds: 20, memoryBytes: 1e9, rows: 10 })
    expect(await rejects(few.query({ sql: 'SELECT number FROM numbers(1000)', params: {} }))).toMatchObject({
      code: '396',
    })
  })

  test('an aborted query rejects at once with the reason and ends in the store too', async () => {
    const stop = new AbortController()
    const running = rejects(history.query({ sql: HEAVY, params: {} }, stop.signal))
    await expect.poll(count, { timeout: 5000 }).toBe(1)
    stop.abort(new Error('no longer wanted'))
    expect(await running).toMatchObject({ message: 'no longer wanted' })
    await expect.poll(count, { timeout: 3000 }).toBe(0)
  })

  test('several statements in one request are refused and none of them runs', async () => {
    await history.command('CREATE TABLE kept (a UInt8) ENGINE = MergeTree ORDER BY a')
    await rejects(history.command('SELECT 1; DROP TABLE kept'))
    expect(await history.query({ sql: 'EXISTS TABLE kept', params: {} })).toEqual([{ result: 1 }])
  })

  test('a wrong password is refused', async () => {
    const wrong = await ask({ ...store.access, password: 'wrong' }, {}, 'SELECT 1')
    expect(wrong).toMatchObject({ code: '516' })
    expect(wrong.status).toBeGreaterThanOrEqual(400)
  })
}
