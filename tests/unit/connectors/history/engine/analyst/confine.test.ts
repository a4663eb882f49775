import { describe, expect, test } from 'vitest'
import { confine } from '../../../../../../connectors/history/engine/analyst/confine.ts'
import { withoutProgress } from '../../../../../../connectors/history/engine/analyst/formats.ts'

const functions = new Set(['file', 'sleep', 'hex', 'user'])
const confines = {
  user: 'ann',
  home: 'harrier',
  functions,
  databases: new Set(['harrier', 'harrier_g1', 'home', 'harrier_sql']),
}
const confined = (sql: string) => confine(sql, confines)

describe('a statement stays in the confined database', () => {
  test.each([
    ['SELECT 1', 'SELECT 1'],
    ['SELECT 1;', 'SELECT 1'],
    ['select * from harrier.bi_entities e', 'select * from bi_entities e'],
    ['SELECT * FROM "harrier" . `bi_asn`', 'SELECT * FROM bi_asn'],
    ['SELECT harrier.bi_asn.aso FROM harrier.bi_asn', 'SELECT bi_asn.aso FROM bi_asn'],
    ['SELECT * FROM system.tables', 'SELECT * FROM sys_tables'],
    ['SELECT * FROM INFORMATION_SCHEMA.COLUMNS', 'SELECT * FROM standard_columns'],
    ['SELECT currentDatabase(), user()', "SELECT 'harrier', 'ann'"],
    ["SELECT 'harrier.entities; merge(' AS x -- system.parts", "SELECT 'harrier.entities; merge(' AS x"],
    ["SELECT 1 // '\n, 2 /* ' */, '\\d''\\'\t' # x", "SELECT 1 , 2 , '\\\\d\\'\\'\\x09'"],
    ['SELECT `into`, t."settings" FROM bi_asn t', 'SELECT `into`, t.`settings` FROM bi_asn t'],
    ['SELECT uniqExactIf(a, b), countIf(c), quantile(0.5)(d) FROM bi_asn', undefined],
    ["SELECT cast(a AS Array(Nullable(String))), a :: Decimal(9, 2) FROM bi_asn WHERE (a) IN ('x')", undefined],
    ['SELECT user, t.file, arrayMap(hex, tags) FROM bi_history t', undefined],
    ['SHOW TABLES', 'SELECT name FROM sys_tables WHERE 1 ORDER BY 1'],
    ['SHOW TABLES FROM harrier', 'SELECT name FROM sys_tables WHERE 1 ORDER BY 1'],
    [
      "show tables not like 'x\\'%' limit 3",
      "SELECT name FROM sys_tables WHERE 1 AND name not like 'x\\'%' ORDER BY 1 LIMIT 3",
    ],
    ['SELECT 1 AS format, 2 AS settings', 'SELECT 1 AS `format`, 2 AS `settings`'],
    [
      'SELECT t.format, format, settings FROM bi_asn t GROUP BY settings, format',
      'SELECT t.format, `format`, `settings` FROM bi_asn t GROUP BY `settings`, `format`',
    ],
    ['SELECT * FROM system.parts', 'SELECT * FROM sys_parts'],
    ['DESCRIBE TABLE (SELECT harrier.bi_asn.aso FROM harrier.bi_asn)', '(SELECT bi_asn.aso FROM bi_asn)'],
    ['EXPLAIN AST SELECT database()', "SELECT 'harrier'"],
    ['SET max_threads = 1', ''],
    ['EXISTS bi_asn', "SELECT toUInt8(count() > 0) AS result FROM sys_tables WHERE name = 'bi_asn'"],
  ])('%s', (sql, want) => expect(confined(sql).sql).toBe(want ?? sql))

  test.each([
    ['SELECT 1 FORMAT JSON', 'SELECT 1', 'JSON'],
    ['SELECT 1 FORMAT CSV; -- done', 'SELECT 1', 'CSV'],
    ['SELECT 1;\nFORMAT CSV;', 'SELECT 1', 'CSV'],
    ['SELECT a AS b FROM bi_asn ORDER BY b DESC FORMAT TSKV', 'SELECT a AS b FROM bi_asn ORDER BY b DESC', 'TSKV'],
    ['SELECT 1 AS format FORMAT JSON', 'SELECT 1 AS `format`', 'JSON'],
    ["SELECT format('{}', 'x')", "SELECT format('{}', 'x')", undefined],
  ])('the format of %s is told apart', (sql, want, format) => {
    const found = confined(sql)
    expect([found.sql.trim(), found.format]).toEqual([want, format])
  })

  test.each([
    ['SELECT * FROM harrier_g1.bi_asn', 497],
    ['SELECT * FROM harrier.entities', 60],
    ['SELECT x.`home.y` FROM bi_asn x', 497],
    ['SELECT * FROM system.nothing', 60],
    ['SELECT 1 SETTINGS max_threads = 1', 497],
    ['SELECT 1, settings max_threads = 1', 497],
    ['SELECT settings = 1 FROM bi_asn SETTINGS max_threads = 1', 497],
    ['SELECT 1 FORMAT CSV LIMIT 1', 62],
    ['SELECT 1; FORMAT CSV; SELECT 2', 62],
    ['SELECT 1; SELECT 2 FORMAT CSV', 62],
    ['SHOW TABLES `like ?`', 497],
    ["SHOW TABLES WHERE name = 'x'", 497],
    ['SHOW CREATE TABLE harrier.entities', 497],
    ['DESCRIBE (SELECT * FROM harrier.entities)', 60],
    ["DESCRIBE (SELECT * FROM url('http://192.0.2.1/'))", 497],
    ["EXPLAIN SELECT * FROM file('/etc/passwd')", 497],
    ['EXPLAIN x = 1 SELECT 1', 497],
    ['EXPLAIN INSERT INTO bi_asn SELECT 1', 497],
    ['SET max_threads', 62],
    ['SET max_threads = 1 2', 62],
    ['SET max_threads = (SELECT 1)', 62],
    ['SELECT nothingKnown(1)', 497],
    ["SELECT arrayMap(file, ['/etc/passwd'])", 497],
    ["SELECT arrayMap(`file`, ['/etc/passwd'])", 497],
    ['SELECT arrayMap((Sleep), [1])', 497],
    ["SELECT 1 // '\n; SELECT 2 //'", 62],
    ["SELECT 1 // '\n, * FROM merge($a$harrier$a$, $a$^entities$$a$) //'", 62],
    ['SELECT 1. SETTINGS max_threads = 1', 497],
    ["SELECT x'27', 2", 62],
    ['SELECT `count`(1)', 497],
    [`SELECT ${'1,'.repeat(20_000)}1`, 62],
    [`SELECT '${'x'.repeat(300_000)}'`, 62],
  ])('%.40s is refused', (sql, code) => expect(() => confined(sql)).toThrow(expect.objectContaining({ code })))
})

test('what an EXPLAIN, a DESCRIBE or a SET asks for is told apart from its SELECT', () => {
  expect(confined('EXPLAIN QUERY TREE run_passes = 0, dump_ast = 1 SELECT 1').explains).toMatchObject({
    kind: 'QUERY TREE',
    options: 'run_passes = 0, dump_ast = 1',
  })
  expect(confined('DESC (SELECT 1)').describes).toBe(true)
  expect(confined("SET a = 1, b = 'x';").sets).toEqual([
    ['a', '1'],
    ['b', 'x'],
  ])
  expect(confined('SELECT * FROM system.parts, system.tables').catalogue).toEqual(['sys_parts', 'sys_tables'])
})

test('lines of progress are left out of an answer, and no row that looks like one', () => {
  const rows = ['{"meta":[]}', '{"row":{"a":"{\\"progress\\":"}}']
  const sent = Buffer.from(['{"progress":{"read_rows":"9"}}', ...rows, '{"progress":{}}', ''].join('\n'))
  const told = (format: string) => Buffer.from(withoutProgress(sent, format)).toString()
  expect(told('JSONEachRowWithProgress')).toBe(`${rows.join('\n')}\n`)
  expect(told('JSONEachRow')).toBe(sent.toString())
})
