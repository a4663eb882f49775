import type { SqlUser } from '../../sql-users/user.ts'
import { badRequest, readOnly, unknownSetting } from '../statement/refused.ts'

/** Settings of the questions of a SQL user: each that a client sends is applied, or refused by its name (ADR 257). */

/** Settings that a client may choose: only the output format, never what is read. */
const CHOSEN = new Set(
  (
    'output_format_json_quote_64bit_integers output_format_json_quote_64bit_floats output_format_json_quote_denormals ' +
    'output_format_json_quote_decimals output_format_json_named_tuples_as_objects output_format_json_array_of_rows ' +
    'output_format_decimal_trailing_zeros output_format_csv_crlf_end_of_line output_format_tsv_crlf_end_of_line ' +
    'output_format_pretty_max_rows output_format_pretty_color output_format_pretty_max_value_width ' +
    'output_format_binary_write_json_as_string output_format_native_encode_types_in_binary_format ' +
    'output_format_native_write_json_as_string date_time_output_format bool_true_representation ' +
    'bool_false_representation session_timezone join_use_nulls extremes result_overflow_mode'
  ).split(' '),
)

/** A client may make these tighter. One that asks for more keeps to both its bound and this one. */
const bounds = (user: SqlUser): Record<string, number> => ({
  max_execution_time: user.seconds,
  max_memory_usage: user.memoryBytes,
  max_result_rows: user.rows,
  max_result_bytes: Math.min(user.memoryBytes, 256 * 1024 ** 2),
  max_threads: 2,
  max_query_size: 1_000_000,
})

/**
 * What keeps one question small, and what keeps another's rows out of it: statistics tell how many rows were read,
 * readable or not; so may answers that come from parts or caches instead of from rows.
 */
const FIXED: Record<string, string> = {
  timeout_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  max_ast_elements: '50000',
  max_expanded_ast_elements: '500000',
  max_subquery_depth: '50',
  max_temporary_data_on_disk_size_for_query: String(1024 ** 3),
  output_format_write_statistics: '0',
  optimize_trivial_count_query: '0',
  optimize_use_projections: '0',
  optimize_use_implicit_projections: '0',
  use_query_condition_cache: '0',
  use_query_cache: '0',
  enable_join_runtime_filters: '0',
  // Numbers of audiences are larger than what a double holds.
  output_format_json_quote_64bit_integers: '1',
  async_insert: '0',
}

/** What holds without being set among the others. */
const HELD: Record<string, string> = { ...FIXED, readonly: '1' }

/** Names of the settings that a client may send another value of. */
export const CHANGEABLE: readonly string[] = [
  ...CHOSEN,
  ...Object.keys(bounds({ name: '', groups: [], seconds: 1, memoryBytes: 1, rows: 1 })),
]

/**
 * Settings of data that a statement brings, of connections between servers, and of logs: a SELECT of a SQL user has
 * none of these, so there is nothing that they could change.
 */
const WITHOUT_EFFECT =
  /^(?:input_format_\w+|date_time_input_format|(?:wait_for_)?async_insert\w*|(?:max_|min_)?insert_\w+|mutations_sync|alter_sync|log_\w+|network_\w+|connect_timeout\w*|(?:receive|send)_timeout|tcp_keep_alive_timeout|http_\w+|idle_connection_timeout|interactive_delay|poll_interval|distributed_ddl_\w+|use_client_time_zone)$/

const SWITCH: Record<string, string> = { true: '1', false: '0' }
const plain = (value: string): string => SWITCH[value.toLowerCase()] ?? value

const boundOf = (name: string, most: number, wanted: string | undefined): string => {
  if (wanted === undefined) return String(most)
  const number = Number(wanted)
  if (wanted.trim() === '' || !(number >= 0)) throw badRequest(`the setting '${name}' is not a number`)
  return String(number > 0 && number < most ? Math.ceil(number) : most)
}

/**
 * The settings of a query: those of the user, those the client may choose, and the filter of every table.
 * @param known the settings of the engine, with the values that they have by themselves
 * @throws Refused UNKNOWN_SETTING, READONLY or BAD_ARGUMENTS, each naming the setting
 */
export const analystSettings = (
  user: SqlUser,
  requested: Readonly<Record<string, string>>,
  filters: string,
  known: ReadonlyMap<string, string>,
): Record<string, string> => {
  const settings: Record<string, string> = { ...FIXED }
  const mine = bounds(user)
  for (const [name, value] of Object.entries(requested)) {
    if (CHOSEN.has(name)) settings[name] = value
    else if (!known.has(name)) throw unknownSetting(`unknown setting '${name.slice(0, 60)}'`)
    else if (
      !(name in mine) &&
      !WITHOUT_EFFECT.test(name) &&
      plain(value) !== plain(HELD[name] ?? known.get(name) ?? '')
    )
      throw readOnly(
        `cannot modify the setting '${name}': SQL users choose how an answer looks, and tighten their bounds (/help/integrate/bi/ of the platform)`,
      )
  }
  for (const [name, most] of Object.entries(mine)) settings[name] = boundOf(name, most, requested[name])
  return { ...settings, additional_table_filters: filters }
}
