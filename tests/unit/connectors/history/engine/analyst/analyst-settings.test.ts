import { describe, expect, test } from 'vitest'
import { analystSettings } from '../../../../../../connectors/history/engine/analyst/analyst-settings.ts'

const user = { name: 'ann', groups: [], seconds: 30, memoryBytes: 1000, rows: 10 }
/** As the engine has them by itself. */
const known = new Map(
  Object.entries({
    max_execution_time: '0',
    max_memory_usage: '0',
    max_result_rows: '0',
    readonly: '0',
    allow_ddl: '1',
    async_insert: '1',
    additional_table_filters: '{}',
    output_format_write_statistics: '1',
    input_format_null_as_default: '1',
    use_query_cache: '0',
  }),
)
const settingsOf = (asked: Record<string, string>) => analystSettings(user, asked, '{mine}', known)

describe('settings of a SQL user', () => {
  test('bounds become tighter and never wider, and the look of an answer is chosen', () => {
    expect(
      settingsOf({
        max_execution_time: '5',
        max_memory_usage: '0',
        max_result_rows: '1e9',
        output_format_json_quote_64bit_integers: '0',
      }),
    ).toMatchObject({
      max_execution_time: '5',
      max_memory_usage: '1000',
      max_result_rows: '10',
      output_format_json_quote_64bit_integers: '0',
      additional_table_filters: '{mine}',
      output_format_write_statistics: '0',
    })
  })

  test.each([
    ['readonly', '0', 164],
    ['allow_ddl', 'false', 164],
    ['additional_table_filters', '{}x', 164],
    ['output_format_write_statistics', '1', 164],
    ['use_query_cache', '1', 164],
    ['nothing_known', '1', 115],
    ['max_result_rows', 'many', 36],
    ['max_execution_time', '-1', 36],
  ])('%s = %s is refused by its name', (name, value, code) =>
    expect(() => settingsOf({ [name]: value })).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(`'${name}'`) }),
    ),
  )

  test('what has its value already, or nothing that it could change, is taken', () => {
    const asked = { readonly: '1', allow_ddl: 'true', async_insert: '0', input_format_null_as_default: '0' }
    expect(settingsOf({ ...asked, use_query_cache: '0' })).toEqual(settingsOf({}))
  })
})
