import { literal } from '../statement/literals.ts'
import { CHANGEABLE } from './analyst-settings.ts'

// System tables that clients ask for and that say nothing here: what they would tell is of the host, of the tables
// behind the views, or of other users. Each is a table of the engine Null with the columns of the real one, so that
// there is nothing to read in it (ADR 257).

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
const EMPTY: Readonly<Record<string, ReadonlySet<string>>> = {
  system: new Set([...LIKE_OWN, ...Object.keys(LOGS)]),
  information_schema: STANDARD,
}

/** The statement that makes such a table in `database`. @param stands the name of the table there */
const emptyStatement = (database: string, of: { from: string; table: string; stands: string }): string => {
  const columns = of.from === 'system' ? LOGS[of.table] : undefined
  const what = columns === undefined ? `AS ${of.from}.${of.table}` : `(${columns})`
  return `CREATE TABLE IF NOT EXISTS ${database}.${of.stands} ${what} ENGINE = Null`
}

// What clients ask of the system tables, answered by views of the confined database: as if the server held nothing but
// the views for analysts. The names of the keys are those after `system.` and `information_schema.`.

type Views = Record<string, string>

/** Such a view reads with the rights of its definer, as the caller has no rights on what the view reads. */
export const OPEN = 'SQL SECURITY NONE'

/** @param confined the database that the statements run in; @param home the database name that analysts see */
const systemViews = (confined: string, home: string): Views => {
  // The column with the database name is omitted below, as the name is replaced by the one analysts see.
  const only = (table: string): string =>
    `(SELECT * EXCEPT database FROM system.${table}s WHERE database = ${literal(confined)}
        AND startsWith(${table === 'table' ? 'name' : 'table'}, 'bi_'))`
  const db = `${literal(home)} AS database`
  const changeable = CHANGEABLE.map(literal).join(', ')
  const nothing = (names: string): string => names.replace(/\w+/g, "'' AS $&")
  return {
    tables: `SELECT ${db}, name, uuid, 'View' AS engine, toUInt8(0) AS is_temporary, metadata_modification_time,
        ${nothing('create_table_query, engine_full, as_select, partition_key, sorting_key, primary_key, sampling_key, storage_policy')},
        comment, CAST(NULL, 'Nullable(UInt64)') AS total_rows, CAST(NULL, 'Nullable(UInt64)') AS total_bytes,
        toUInt8(0) AS has_own_data, [] :: Array(String) AS data_paths, [] :: Array(String) AS dependencies_database,
        [] :: Array(String) AS dependencies_table, [] :: Array(String) AS loading_dependencies_database,
        [] :: Array(String) AS loading_dependencies_table
      FROM ${only('table')}`,
    columns: `SELECT ${db}, table, name, type, position, default_kind, default_expression, toUInt64(0) AS data_compressed_bytes,
        toUInt64(0) AS data_uncompressed_bytes, toUInt64(0) AS marks_bytes, comment, toUInt8(0) AS is_in_partition_key,
        toUInt8(0) AS is_in_sorting_key, toUInt8(0) AS is_in_primary_key, toUInt8(0) AS is_in_sampling_key,
        '' AS compression_codec, character_octet_length, numeric_precision, numeric_precision_radix, numeric_scale,
        datetime_precision
      FROM ${only('column')}`,
    databases: `SELECT ${literal(home)} AS name, 'Atomic' AS engine, '' AS data_path, '' AS metadata_path,
        toUUID('00000000-0000-0000-0000-000000000000') AS uuid, 'Atomic' AS engine_full, '' AS comment`,
    // Others of this start are no business of a client: the filters of its rows are among them.
    settings: `SELECT * REPLACE (toUInt8(name NOT IN (${changeable})) AS readonly) FROM system.settings
        WHERE (changed = 0 OR name IN (${changeable}, 'readonly')) AND NOT startsWith(name, 'param_')`,
    functions: "SELECT * REPLACE ('' AS create_query) FROM system.functions WHERE origin = 'System'",
    data_type_families: 'SELECT name, case_insensitive, alias_to FROM system.data_type_families',
    formats: 'SELECT name, is_input, is_output FROM system.formats',
    time_zones: 'SELECT time_zone FROM system.time_zones',
    table_engines: "SELECT 'View' AS name",
    contributors: 'SELECT name FROM system.contributors',
    one: 'SELECT dummy FROM system.one',
    table_functions: "SELECT 'numbers' AS name, '' AS description, toUInt8(1) AS allow_readonly",
    build_options: "SELECT 'VERSION_FULL' AS name, version() AS value",
  }
}

/** Columns of the standard's views with their expressions; each is there in both cases of its name, as on a server. */
const standardColumns = (confined: string, home: string): Record<string, [columns: Views, from: string]> => {
  const of = literal(home)
  const none = "CAST(NULL, 'Nullable(String)')"
  const keys = (name: string) => ({ table_catalog: of, table_schema: of, table_name: name })
  const only = `database = ${literal(confined)} AND startsWith(TABLE, 'bi_')`
  const ofTables = `system.tables WHERE ${only.replace('TABLE', 'name')}`
  const unknown = "CAST(NULL, 'Nullable(UInt64)')"
  return {
    schemata: [{ catalog_name: of, schema_name: of, schema_owner: "'default'", sql_path: none }, 'system.one'],
    tables: [
      {
        ...keys('name'),
        table_type: "'VIEW'",
        table_rows: unknown,
        data_length: unknown,
        index_length: unknown,
        table_collation: none,
        table_comment: "''",
      },
      ofTables,
    ],
    views: [
      {
        ...keys('name'),
        view_definition: "''",
        check_option: "'NONE'",
        is_updatable: "'NO'",
        is_insertable_into: "'NO'",
      },
      ofTables,
    ],
    columns: [
      {
        ...keys('table'),
        column_name: 'name',
        ordinal_position: 'position',
        column_default: "''",
        is_nullable: "if(startsWith(type, 'Nullable'), 'YES', 'NO')",
        data_type: 'type',
        column_type: 'type',
        character_maximum_length: unknown,
        character_octet_length: 'character_octet_length',
        numeric_precision: 'numeric_precision',
        numeric_precision_radix: 'numeric_precision_radix',
        numeric_scale: 'numeric_scale',
        datetime_precision: 'datetime_precision',
        collation_name: none,
        extra: none,
        column_comment: 'comment',
      },
      `system.columns WHERE ${only.replace('TABLE', 'table')}`,
    ],
  }
}

const standardViews = (confined: string, home: string): Views =>
  Object.fromEntries(
    Object.entries(standardColumns(confined, home)).map(([view, [columns, from]]) => {
      const names = Object.keys(columns)
      const lower = names.map((name) => `${columns[name]} AS ${name}`)
      const both = [...names, ...names.map((name) => `${name} AS ${name.toUpperCase()}`)]
      return [view, `SELECT ${both.join(', ')} FROM (SELECT ${lower.join(', ')} FROM ${from})`]
    }),
  )

/** Databases that clients query for metadata, each with the prefix of its views. */
const PREFIXES: Record<string, string> = { system: 'sys_', information_schema: 'standard_' }

const KNOWN: Record<string, ReadonlySet<string>> = {
  system: new Set(Object.keys(systemViews('', ''))),
  information_schema: new Set(Object.keys(standardViews('', ''))),
}

/** The view that answers for a table of `system` or `information_schema`; undefined for what is not answered. */
export const stands = (database: string, table: string): string | undefined => {
  const [of, name] = [database.toLowerCase(), table.toLowerCase()]
  return KNOWN[of]?.has(name) || EMPTY[of]?.has(name) ? `${PREFIXES[of]}${name}` : undefined
}

/** The statement that makes the table `name` of the confined database, of those that are made when they are named. */
export const emptyNamed = (confined: string, name: string): string | undefined => {
  for (const [from, prefix] of Object.entries(PREFIXES)) {
    const table = name.slice(prefix.length)
    if (name.startsWith(prefix) && EMPTY[from]?.has(table))
      return emptyStatement(confined, { from, table, stands: name })
  }
  return undefined
}

/** The statements that create the views. */
export const catalogueStatements = (confined: string, home: string): string[] =>
  [
    ...Object.entries(systemViews(confined, home)).map(([name, sql]) => [`sys_${name}`, sql]),
    ...Object.entries(standardViews(confined, home)).map(([name, sql]) => [`standard_${name}`, sql]),
  ].map(([name, sql]) => `CREATE OR REPLACE VIEW ${confined}.${name} ${OPEN} AS ${sql}`)
