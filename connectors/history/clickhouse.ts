import { Readable } from 'node:stream'
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { retry } from '../../platform/retry.ts'
import type { History, Query } from './port.ts'
import { mayPass } from './store-errors.ts'
import { reader } from './wire/reader.ts'

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
/** Below the keep-alive of a server (3 s by default, 30 s embedded), so that no request meets a closed connection. */
const IDLE_MS = 2_000
/** Rebuilds take minutes; queries end by their own limit. */
const REQUEST_MS = 600_000
const PAUSES_MS = [50, 200, 500, 1000, 2000, 4000]
const READ_ATTEMPTS = 4
const ATTEMPTS = 8

const readSettings = (limits: typeof LIMITS): Record<string, string> => ({
  max_execution_time: String(limits.seconds),
  max_memory_usage: String(limits.memoryBytes),
  max_result_rows: String(limits.rows),
  // The keys of a batch: 50,000, each of some 11 characters.
  max_query_size: '1000000',
  // A search of 1,024 clauses; what it may cost is bounded by time and memory.
  max_ast_elements: '500000',
  max_expanded_ast_elements: '500000',
  result_overflow_mode: 'throw',
  output_format_json_quote_64bit_integers: '1',
  output_format_json_array_of_rows: '1',
  // The whole answer before the first byte: an error in the middle becomes a status, never half a result.
  wait_end_of_query: '1',
})

/** Lists of up to 10 million rows, sorted on the disk of the store where they are long. */
const STREAMED: Record<string, string> = {
  max_execution_time: '600',
  max_result_rows: '10000100',
  max_bytes_before_external_sort: String(256 * 1024 ** 2),
  max_bytes_before_external_group_by: String(256 * 1024 ** 2),
}

/** One insert, one block, one token: an insert must not be split, queued, or deduplicated for another reason. */
const insertSettings = (token: string): ClickHouseSettings => ({
  async_insert: 0,
  insert_deduplicate: 1,
  insert_deduplication_token: token,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  max_insert_block_size: '10000000',
  min_insert_block_size_rows: '10000000',
  min_insert_block_size_bytes: '1000000000',
  max_insert_threads: '1',
  // Nearly every row of a block has a key of its own; the others are told apart or added up by reads and merges (ADR 265).
  optimize_on_insert: 0,
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
    request_timeout: REQUEST_MS,
    // Every error is thrown; the caller says which of them matter.
    log: { level: ClickHouseLogLevel.OFF },
    keep_alive: { enabled: true, idle_socket_ttl: IDLE_MS },
    compression: { request: false, response: false },
  }
  const database = options.database ?? 'harrier'
  const client = createClient({ ...common, database })
  // A database is made from outside of it.
  const outside = createClient({ ...common, database: 'default', max_open_connections: 1 })
  const reads = reader({
    ...options,
    database,
    settings: readSettings(limits),
    connections: CONNECTIONS,
    idleMs: IDLE_MS,
    longestMs: REQUEST_MS,
  })
  const others = new Map<string, History>()

  return {
    async query<Row>({ sql, params }: Query, signal?: AbortSignal) {
      try {
        return await retryPassing(READ_ATTEMPTS, async () => {
          signal?.throwIfAborted()
          const text = await reads.read(sql, params, signal)
          return (text === '' ? [] : JSON.parse(text)) as Row[]
        })
      } catch (error) {
        throw signal?.aborted ? signal.reason : error
      }
    },
    stream: ({ sql, params }, format, signal) =>
      retryPassing(READ_ATTEMPTS, () => {
        signal?.throwIfAborted()
        return reads.stream(sql, params, { format, settings: STREAMED }, signal)
      }),
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
      reads.close()
      await Promise.all([client.close(), outside.close(), ...[...others.values()].map((other) => other.close())])
    },
  }
}
