import type { SqlUser } from '../../sql-users/user.ts'

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

/** A client may make these tighter, never wider. */
const bounds = (user: SqlUser): Record<string, number> => ({
  max_execution_time: user.seconds,
  max_memory_usage: user.memoryBytes,
  max_result_rows: user.rows,
  max_result_bytes: Math.min(user.memoryBytes, 256 * 1024 ** 2),
})

/**
 * What keeps one question small, and what keeps another's rows out of it: statistics tell how many rows were read,
 * readable or not; so may answers that come from parts or caches instead of from rows.
 */
const FIXED: Record<string, string> = {
  max_threads: '2',
  timeout_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  max_query_size: '1000000',
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

/** The settings of a query: those of the user, those the client may choose, and the filter of every table. */
export const analystSettings = (
  user: SqlUser,
  requested: Readonly<Record<string, string>>,
  filters: string,
): Record<string, string> => {
  const settings: Record<string, string> = { ...FIXED }
  for (const [name, value] of Object.entries(requested)) if (CHOSEN.has(name)) settings[name] = value
  for (const [name, most] of Object.entries(bounds(user))) {
    const wanted = Number(requested[name])
    settings[name] = String(wanted > 0 && wanted < most ? Math.ceil(wanted) : most)
  }
  return { ...settings, additional_table_filters: filters }
}
