import { describe, expect, test } from 'vitest'
import { confine } from '../../../../../../connectors/history/engine/analyst/confine.ts'
import { analystSettings } from '../../../../../../connectors/history/engine/analyst/settings.ts'

const confines = { user: 'ann', home: 'harrier', databases: new Set(['harrier', 'harrier_g1', 'home', 'harrier_sql']) }
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
    ['SHOW TABLES', 'SELECT name FROM sys_tables ORDER BY name'],
    ['SHOW TABLES FROM harrier', 'SELECT name FROM sys_tables ORDER BY name'],
    ['EXISTS bi_asn', "SELECT toUInt8(count() > 0) AS result FROM sys_tables WHERE name = 'bi_asn'"],
  ])('%s', (sql, want) => expect(confined(sql).sql).toBe(want ?? sql))

  test.each([
    ['SELECT 1 FORMAT JSON', 'SELECT 1', 'JSON'],
    ['SELECT 1 FORMAT CSV; -- done', 'SELECT 1', 'CSV'],
    ["SELECT format('{}', 'x')", "SELECT format('{}', 'x')", undefined],
  ])('the format of %s is told apart', (sql, want, format) => {
    const found = confined(sql)
    expect([found.sql.trim(), found.format]).toEqual([want, format])
  })

  test.each([
    ['SELECT * FROM harrier_g1.bi_asn', 497],
    ['SELECT * FROM harrier.entities', 60],
    ['SELECT x.`home.y` FROM bi_asn x', 497],
    ['SELECT nothingKnown(1)', 497],
    ["SELECT 1 // '\n; SELECT 2 //'", 62],
    ["SELECT 1 // '\n, * FROM merge($a$harrier$a$, $a$^entities$$a$) //'", 62],
    ['SELECT 1. SETTINGS max_threads = 1', 497],
    ["SELECT x'27', 2", 62],
    ['SELECT `count`(1)', 497],
    [`SELECT ${'1,'.repeat(20_000)}1`, 62],
    [`SELECT '${'x'.repeat(300_000)}'`, 62],
  ])('%.40s is refused', (sql, code) => expect(() => confined(sql)).toThrow(expect.objectContaining({ code })))
})

describe('settings of a SQL user', () => {
  const user = { name: 'ann', groups: [], seconds: 30, memoryBytes: 1000, rows: 10 }
  test('bounds become tighter and never wider, the look of an answer is chosen, everything else is left out', () => {
    const asked = {
      max_execution_time: '5',
      max_memory_usage: '0',
      max_result_rows: '1e9',
      output_format_json_quote_64bit_integers: '0',
      readonly: '0',
      additional_table_filters: '{}',
      output_format_write_statistics: '1',
    }
    const settings = analystSettings(user, asked, '{mine}')
    expect(settings).toMatchObject({
      max_execution_time: '5',
      max_memory_usage: '1000',
      max_result_rows: '10',
      output_format_json_quote_64bit_integers: '0',
      additional_table_filters: '{mine}',
      output_format_write_statistics: '0',
    })
    expect(settings).not.toHaveProperty('readonly')
  })
})
