import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { StoreUnavailable } from '../../availability/port.ts'
import { type AvailabilityOptions, watchAvailability } from '../../availability/watch.ts'
import { type NameOf, named } from './prepared-names.ts'

const NAME = 'the accounts database'
/** Above what a store that is late may take (`connectors/availability`). */
const PING_MS = 5_000
/** "Too many connections": the answer of a server that is available. */
const FULL = '53300'

export type PoolOptions = {
  onChange?: AvailabilityOptions['onChange']
  /** Default: nothing is prepared. */
  nameOf?: NameOf
}

type CircuitBreakingClient = PostgresPoolClient & { broken: boolean }

/**
 * The pool, for a server that may go away: statements, and waiting for a connection, fail soon with
 * `StoreUnavailable` (ADR 281) once the server stops answering, and at once when a connection is lost or refused. Connections that
 * were left in the middle are closed. A slow statement of a server that is there keeps its time.
 */
export function circuitBreakingPool(
  pool: pg.Pool,
  url: string,
  { onChange, nameOf = () => null }: PoolOptions = {},
): PostgresPool {
  const availability = watchAvailability({ name: NAME, ping: () => ping(url), ...(onChange && { onChange }) })
  /** Kysely knows a connection by its object. */
  const known = new WeakMap<pg.PoolClient, CircuitBreakingClient>()

  const circuitBreakingClient = (client: pg.PoolClient): CircuitBreakingClient => {
    const guarded: CircuitBreakingClient = {
      broken: false,
      query: (async (sql: string, parameters: readonly unknown[]) => {
        if (guarded.broken) throw new StoreUnavailable(NAME, 'did not complete an earlier statement of this connection')
        let settled = false
        try {
          return await availability.during(() =>
            client.query(named(sql, parameters, nameOf)).finally(() => {
              settled = true
            }),
          )
        } catch (error) {
          if (leftHanging(error)) guarded.broken = true
          throw asStoreError(error)
        } finally {
          // Given up: whatever it says later belongs to nobody, and the next statement would wait behind it.
          if (!settled) guarded.broken = true
        }
      }) as unknown as PostgresPoolClient['query'],
      release: (discard) => client.release(discard || guarded.broken),
    }
    known.set(client, guarded)
    return guarded
  }

  return {
    options: pool.options,
    async connect() {
      let waiting = true
      try {
        const client = await availability.during(async () => {
          const connected = await pool.connect()
          if (!waiting) connected.release()
          return connected
        })
        return known.get(client) ?? circuitBreakingClient(client)
      } catch (error) {
        throw asStoreError(error)
      } finally {
        waiting = false
      }
    },
    end() {
      availability.close()
      return pool.end()
    },
  }
}

function asStoreError(error: unknown): unknown {
  if (!connectionLost(error)) return error
  const { code, message } = error as NodeJS.ErrnoException
  return new StoreUnavailable(NAME, `cannot be reached: ${message || code}`, { cause: error })
}

async function ping(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PING_MS, query_timeout: PING_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('SELECT 1')
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === FULL)) throw error
  } finally {
    client.end().catch(() => undefined)
  }
}

/** By class or whole code of SQLSTATE: connection exceptions, and the codes of a server that stops or starts. */
const STATES = /^(08...|57P0[123])$/
/** Of sockets, and of names: that of a container that is stopped is not known meanwhile. */
const SOCKETS = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT']
const CODES = new Set([...SOCKETS, 'ENOTFOUND', 'EAI_AGAIN'])
/** The client has no codes of its own for these. */
const WORDS = /^(Connection terminated|Client has encountered a connection error|timeout e)/

/** Whether the connection is lost, or could not be made; false for what the server says of a statement. */
export function connectionLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return STATES.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  return CODES.has((error as NodeJS.ErrnoException).code ?? '') || WORDS.test(error.message)
}

/** Whether the server left a statement without an answer for the time of the client: what follows would wait behind it. */
export const leftHanging = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'
