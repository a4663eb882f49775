/**
 * System tables that clients ask for and that say nothing here: what they would tell is of the host, of the tables
 * behind the views, or of other users. Each is a table of the engine Null with the columns of the real one, so that
 * there is nothing to read in it (ADR 257).
 */

/** Made like those of this engine. */
const LIKE_OWN = new Set(
  (
    'backups clusters current_roles data_skipping_indices detached_parts detached_tables dictionaries disks distributed_ddl_queue ' +
    'distribution_queue enabled_roles errors events grants graphite_retentions macros merge_tree_settings merges metrics ' +
    'moves mutations named_collections parts parts_columns processes projection_parts projections quota_limits quota_usage quotas ' +
    'quotas_usage replicas replication_queue role_grants roles row_policies settings_profile_elements settings_profiles ' +
    'storage_policies users view_refreshes warnings'
  ).split(' '),
)
const STANDARD = new Set(['key_column_usage', 'referential_constraints', 'statistics', 'engines'])

const LOG = 'hostname String, event_date Date, event_time DateTime, event_time_microseconds DateTime64(6)'
const QUERY =
  `${LOG}, query_start_time DateTime, query_start_time_microseconds DateTime64(6), query_duration_ms UInt64, ` +
  'read_rows UInt64, read_bytes UInt64, written_rows UInt64, written_bytes UInt64, memory_usage Int64, query String, ' +
  'normalized_query_hash UInt64, current_database String, user String, query_id String, address IPv6, port UInt16, ' +
  'initial_user String, initial_query_id String, is_initial_query UInt8, interface UInt8, http_method UInt8, ' +
  'http_user_agent String, client_hostname String, client_name String, ProfileEvents Map(String, UInt64)'

/** Those that a server makes when it has something to log, in the columns that tools ask for. */
const LOGS: Readonly<Record<string, string>> = {
  query_log:
    `type String, ${QUERY}, result_rows UInt64, result_bytes UInt64, formatted_query String, query_kind String, ` +
    'databases Array(String), tables Array(String), columns Array(String), partitions Array(String), ' +
    'projections Array(String), views Array(String), exception_code Int32, exception String, stack_trace String, ' +
    'log_comment String, thread_ids Array(UInt64), Settings Map(String, String)',
  query_thread_log: `${QUERY}, thread_name String, thread_id UInt64, peak_memory_usage Int64`,
  part_log:
    `query_id String, event_type String, ${LOG}, duration_ms UInt64, database String, table String, part_name String, ` +
    'partition_id String, rows UInt64, size_in_bytes UInt64, error UInt16, exception String',
  session_log: `type String, ${LOG}, user String, client_address IPv6, client_name String, failure_reason String`,
  text_log: `${LOG}, level String, thread_id UInt64, query_id String, logger_name String, message String`,
  trace_log: `${LOG}, trace_type String, thread_id UInt64, query_id String, trace Array(UInt64), size Int64`,
  metric_log: LOG,
  asynchronous_metric_log: `${LOG}, metric String, value Float64`,
  asynchronous_metrics: 'metric String, value Float64, description String',
}

/** Such tables by the database that clients name, in lower case. */
export const EMPTY: Readonly<Record<string, ReadonlySet<string>>> = {
  system: new Set([...LIKE_OWN, ...Object.keys(LOGS)]),
  information_schema: STANDARD,
}

/** The statement that makes such a table in `database`. @param stands the name of the table there */
export const emptyStatement = (database: string, of: { from: string; table: string; stands: string }): string => {
  const columns = of.from === 'system' ? LOGS[of.table] : undefined
  const what = columns === undefined ? `AS ${of.from}.${of.table}` : `(${columns})`
  return `CREATE TABLE IF NOT EXISTS ${database}.${of.stands} ${what} ENGINE = Null`
}
