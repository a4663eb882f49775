import { beforeAll, describe, expect, test } from 'vitest'
import type { AnalystStore } from '../../../builders/analysts/analysts.ts'
import { EMPTY_ANSWERS, FIRST_LINES } from '../../../builders/analysts/first-asked.ts'
import { REFUSED } from '../../../builders/analysts/hostile-sql.ts'

const EXPLAINS = [
  'EXPLAIN',
  'EXPLAIN AST',
  'EXPLAIN SYNTAX',
  'EXPLAIN QUERY TREE',
  'EXPLAIN PIPELINE',
  'EXPLAIN ESTIMATE',
]

export function whatToolsAskFirst(opened: () => AnalystStore): void {
  let store: AnalystStore
  beforeAll(() => {
    store = opened()
  })
  const told = async (sql: string, params: Record<string, string> = {}): Promise<[string, number, string]> => {
    const { status, text } = await store.ask('soc', sql, params)
    return [sql, status, text]
  }

  describe('what tools ask first', () => {
    test.each(EMPTY_ANSWERS)('is answered with nothing where there is nothing to say: %s', async (sql) => {
      expect(await told(sql)).toEqual([sql, 200, ''])
    })

    test.each(FIRST_LINES)('is answered: %s', async (sql, line) => {
      const [, status, text] = await told(sql)
      expect([status, text.split('\n')[0]]).toEqual([200, line instanceof RegExp ? expect.stringMatching(line) : line])
    })

    test('a system table that there is not is unknown, as on a server', async () => {
      for (const sql of ['SELECT * FROM system.nothing', 'SELECT * FROM system.symbols', 'DESCRIBE TABLE bi_nothing']) {
        const { status, headers } = await store.ask('soc', sql)
        expect([sql, status, headers.get('x-clickhouse-exception-code')]).toEqual([sql, 404, '60'])
      }
    })

    test('an answer with progress counts no rows', async () => {
      for (const format of ['JSONEachRowWithProgress', 'JSONStringsEachRowWithProgress']) {
        const lines = (await told(`SELECT number FROM numbers(3) FORMAT ${format}`))[2].trim().split('\n')
        expect(lines.map((line) => Object.keys(JSON.parse(line))[0])).toEqual(['meta', 'row', 'row', 'row'])
      }
    })

    test('a plan names no table behind the views, no filter and no database of the engine', async () => {
      for (const explain of EXPLAINS) {
        const [, status, text] = await told(
          `${explain} SELECT value, count() FROM bi_entities WHERE type = 'ip' GROUP BY value`,
        )
        expect([explain, status, /confined|hollow|audience|MergeTree|FINAL|\d{15}/.exec(text)]).toEqual([
          explain,
          200,
          null,
        ])
      }
      expect((await told('SHOW CREATE TABLE bi_entities'))[2]).not.toMatch(/SELECT|FROM|WHERE|FINAL|SECURITY/)
    })

    test('what may not be asked may not be explained or described either', async () => {
      const statements = Object.values(REFUSED)
        .flat()
        .filter((sql) => /^(select|with)\b/i.test(sql))
      expect(statements.length).toBeGreaterThan(150)
      const ways = [
        // AST and SYNTAX look at nothing but the words.
        ...EXPLAINS.filter((explain) => !/AST|SYNTAX/.test(explain)).map(
          (explain) => (sql: string) => `${explain} ${sql}`,
        ),
        (sql: string) => `DESCRIBE (${sql}\n)`,
      ]
      for (const [i, sql] of statements.entries()) {
        const sent = ways[i % ways.length]!(sql)
        const { status } = await store.ask('soc', sent, { param_t: 'entities', param_d: 'harrier' })
        expect([sent, status >= 400 && status < 500]).toEqual([sent, true])
      }
    })
  })

  describe('what a client sends beside its statement', () => {
    test.each([
      ['readonly', '0', 403, "setting 'readonly'"],
      ['additional_table_filters', "{'bi_asn':'1'}", 403, "setting 'additional_table_filters'"],
      ['allow_ddl', '0', 403, "setting 'allow_ddl'"],
      ['nothing_known', '1', 404, "setting 'nothing_known'"],
      ['max_result_rows', 'many', 400, "setting 'max_result_rows'"],
      ['role', 'admin', 404, "role 'admin'"],
      ['decompress', '1', 400, 'decompress'],
      ['add_http_cors_header', '1', 403, 'add_http_cors_header'],
      ['session_timeout', '7200', 400, 'session_timeout'],
      ['session_check', '1', 404, "session 'session_check'"],
      ['default_format', 'Template', 403, "format 'Template'"],
      ['compress', '1', 400, 'compress=1'],
    ])('is refused by its name where it is not applied: %s=%s', async (name, value, status, why) => {
      const answer = await store.ask('soc', 'SELECT 1', { session_id: name, [name]: value })
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(why)])
    })

    test.each([
      ['allow_ddl', '1'],
      ['max_execution_time', '100000'],
      ['input_format_null_as_default', '0'],
      ['async_insert', '0'],
      ['session_timezone', 'Asia/Tokyo'],
    ])('is applied, or changes nothing of an answer: %s=%s', async (name, value) => {
      expect((await told('SELECT 1', { [name]: value })).slice(1)).toEqual([200, '1\n'])
    })

    test('SET holds in a session of the protocol and for its user alone, else for its request', async () => {
      const session = { session_id: 'one', session_timeout: '60' }
      const zone = 'SELECT timezoneOf(now())'
      expect(await told("SET session_timezone = 'Asia/Tokyo'", session)).toEqual([expect.anything(), 200, ''])
      expect((await told(zone, session))[2]).toBe('Asia/Tokyo\n')
      expect((await told(zone, { ...session, session_check: '1', session_timezone: 'UTC' }))[2]).toBe('UTC\n')
      expect((await told(zone))[2]).toBe('UTC\n')
      expect((await store.ask('red', zone, session)).text).toBe('UTC\n')
      expect((await told("SET readonly = 0, session_timezone = 'UTC'", session))[1]).toBe(403)
      expect((await told(zone, session))[2]).toBe('Asia/Tokyo\n')
    })
  })
}
