import { Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { retry } from '../../platform/retry.ts'
import { mayPass } from './errors.ts'
import type { History, Query } from './port.ts'

export type HistoryOptions = {
  url: string
  username: string
  password: string
  /** Default `harrier`, made by the migrations. */
  database?: string
  /** Bounds of one query. */
  limits?: { seconds: number; memoryBytes: number; rows: number }
  /** Tries of an insert, with the same token, before its error is passed on. */
  insertAttempts?: number
}

const GiB = 1024 ** 3
const LIMITS = { seconds: 30, memoryBytes: 2 * GiB, rows: 1_000_000 }
/** Connections kept open: more would only wait for a slot of the embedded engine. */
const CONNECTIONS = 16
const PAUSES_MS = [50, 200, 500, 1000, 2000, 4000]
const READ_ATTEMPTS = 4
const ATTEMPTS = 8

const readSettings = (limits: typeof LIMITS): ClickHouseSettings => ({
  max_execution_time: limits.seconds,
  max_memory_usage: String(limits.memoryBytes),
  max_result_rows: String(limits.rows),
  // The keys of a batch: 50,000, each of some 11 characters.
  max_query_size: '1000000',
  // A search of 1,024 clauses; what it may cost is bounded by time and memory.
  max_ast_elements: '500000',
  max_expanded_ast_elements: '500000',
  result_overflow_mode: 'throw',
  output_format_json_quote_64bit_integers: 1,
  output_format_json_array_of_rows: 1,
  // The whole answer before the first byte: an error in the middle becomes a status, never half a result.
  wait_end_of_query: 1,
})

/** One insert, one block, one token: nothing may be split, queued or dropped for another reason. */
const insertSettings = (token: string): ClickHouseSettings => ({
  async_insert: 0,
  insert_deduplicate: 1,
  insert_deduplication_token: token,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  max_insert_block_size: '10000000',
  min_insert_block_size_rows: '10000000',
  min_insert_block_size_bytes: '1000000000',
  max_insert_threads: '1',
  max_partitions_per_insert_block: '0',
  distributed_foreground_insert: 1,
  wait_end_of_query: 1,
})

/** Rebuilds of a table take minutes. */
const COMMAND: ClickHouseSettings = { wait_end_of_query: 1, async_insert: 0, max_execution_time: 3600 }

const IDENTIFIER = /^[a-z_][a-z0-9_]{0,100}$/i

/** Retries what may pass (a restart of the store, a dropped connection), with growing pauses. */
const retryPassing = <T>(attempts: number, work: () => Promise<T>): Promise<T> =>
  retry(work, { attempts, pausesMs: PAUSES_MS, shouldRetry: mayPass })

const drain = async (stream: Readable): Promise<void> => {
  for await (const _ of stream);
}

type How = { clickhouse_settings: ClickHouseSettings; abort_signal?: AbortSignal }

const rowsOf = async <Row>(client: ClickHouseClient, sql: string, params: Record<string, unknown>, how: How) => {
  const result = await client.query({ query: sql, query_params: params, format: 'JSONEachRow', ...how })
  // The client heeds the signal until the headers are there; a body that hangs would keep its connection.
  const leave = (): void => result.close()
  how.abort_signal?.addEventListener('abort', leave, { once: true })
  try {
    const text = await result.text()
    return (text === '' ? [] : JSON.parse(text)) as Row[]
  } finally {
    how.abort_signal?.removeEventListener('abort', leave)
  }
}

/**
 * The history store behind its HTTP interface, whether a server, a cluster or the embedded engine.
 * @throws from `query`: ClickHouseError with the `code` and `type` of the server (159 time, 241 memory, 396 rows), or
 * the reason of `signal`; from `insert`: the last error after all tries
 */
export const clickhouse = (options: HistoryOptions): History => {
  const limits = options.limits ?? LIMITS
  const common = {
    url: options.url,
    username: options.username,
    password: options.password,
    application: 'harrier',
    max_open_connections: CONNECTIONS,
    // Rebuilds take minutes; queries end by their own limit.
    request_timeout: 600_000,
    // Thousands of keys do not fit into a URL.
    use_multipart_params_auto: true,
    // Every error is thrown; the caller says which of them matter.
    log: { level: ClickHouseLogLevel.OFF },
    // Below the keep-alive of a server (3 s by default, 30 s embedded), so that no request meets a closed connection.
    keep_alive: { enabled: true, idle_socket_ttl: 2000 },
    compression: { request: false, response: false },
  }
  const client = createClient({ ...common, database: options.database ?? 'harrier' })
  // A database is made from outside of it.
  const outside = createClient({ ...common, database: 'default', max_open_connections: 1 })
  const settings = readSettings(limits)
  const others = new Map<string, History>()

  return {
    async query<Row>({ sql, params }: Query, signal?: AbortSignal) {
      const how = { clickhouse_settings: settings, ...(signal && { abort_signal: signal }) }
      try {
        return await retryPassing(READ_ATTEMPTS, async () => {
          signal?.throwIfAborted()
          return rowsOf<Row>(client, sql, params, how)
        })
      } catch (error) {
        throw signal?.aborted ? signal.reason : error
      }
    },
    async insert(table, block, token) {
      if (!IDENTIFIER.test(table)) throw new TypeError(`'${table}' is not a valid table name`)
      if (token === '') throw new TypeError('an insert requires a token')
      if (block.rows === 0) return
      await retryPassing(options.insertAttempts ?? ATTEMPTS, async () => {
        const { stream } = await client.exec({
          query: `INSERT INTO ${table} FORMAT Native`,
          values: Readable.from([block.bytes], { objectMode: false }),
          clickhouse_settings: insertSettings(token),
        })
        await drain(stream)
      })
    },
    async command(sql, params) {
      const from = /^\s*(CREATE|DROP)\s+DATABASE\b/i.test(sql) ? outside : client
      await from.command({ query: sql, clickhouse_settings: COMMAND, ...(params && { query_params: params }) })
    },
    at(database) {
      const known = others.get(database)
      if (known !== undefined) return known
      const other = clickhouse({ ...options, database })
      others.set(database, other)
      return other
    },
    async ping() {
      const result = await client.ping({ select: true })
      if (!result.success) throw result.error
    },
    async close() {
      await Promise.all([client.close(), outside.close(), ...[...others.values()].map((other) => other.close())])
    },
  }
}
