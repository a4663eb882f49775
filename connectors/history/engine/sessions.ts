import { randomUUID } from 'node:crypto'
import { drainPending, Session } from 'chdb'
import type { Operation } from './operation.ts'
import { FIRST, reader, toRun } from './reading.ts'
import { ANALYST, writeRights } from './rights.ts'
import { slots } from './slots.ts'
import { literal, quotedName } from './statement/literals.ts'

export type Lanes = { read: number; insert: number; analyst: number; queue: number }

export type Answer = { bytes: Uint8Array; rowsRead: number; elapsedNs: number }

export type EngineSessions = {
  run(operation: Operation, signal: AbortSignal): Promise<Answer>
  /** Waits for what runs, then releases the folder. */
  close(): Promise<void>
}

const KILL_AGAIN_MS = 100
const MAX_KILLS = 100

const preamble = ({ database, settings, params, confined }: Operation, tag: string): string => {
  const pairs = Object.entries(settings).map(([name, value]) => `${name}=${literal(value)}`)
  const bound = Object.entries(params).map(([name, value]) => `param_${name}=${literal(value)}`)
  const set = [...pairs, ...bound, `log_comment=${literal(tag)}`].join(', ')
  const narrowed = confined === true ? `; SET ROLE ${ANALYST}; SET readonly = 1` : ''
  return `${FIRST}; USE ${quotedName(database)}; SET ${set}${narrowed}`
}

/** The engine would take nine tenths of the machine, and caches of 5 GiB each. */
const bounds = (memoryBytes: number): string[] => [
  `--max_server_memory_usage=${memoryBytes}`,
  ...['mark', 'index_mark', 'primary_index'].map((of) => `--${of}_cache_size=${Math.floor(memoryBytes / 10)}`),
]

/**
 * Sessions on the data folder `dir`. Every operation gets a new one (about 0.1 ms): settings and parameters of a session
 * stick to it, and the partial answer of a query that failed would come before the next one.
 * @param memoryBytes of all queries and caches together; past it a query ends with MEMORY_LIMIT_EXCEEDED
 * @param lanes how many operations run at once, by kind; at most `queue` wait in each
 */
export const openSessions = (dir: string, lanes: Lanes, memoryBytes: number): EngineSessions => {
  // Keeps the engine, and with it the lock of the folder, between operations.
  const keeper = new Session(dir, { connectionArgs: [`--config-file=${writeRights(dir)}`, ...bounds(memoryBytes)] })
  const read = reader()
  const lane = {
    read: slots(lanes.read, lanes.queue),
    insert: slots(lanes.insert, lanes.queue),
    analyst: slots(lanes.analyst, lanes.queue),
  }

  const once = async (sql: string): Promise<void> => {
    const session = new Session(dir)
    try {
      await session.queryAsync(sql)
    } finally {
      session.close()
    }
  }

  /** Retries, since a query that is still being planned is not listed yet. SYNC would never return. */
  const killer = (tag: string) => {
    let attempts = 0
    const ask = (): void => {
      if (++attempts > MAX_KILLS) clearInterval(timer)
      const which = `SELECT query_id FROM system.processes WHERE Settings['log_comment'] = ${literal(tag)}`
      // A refused kill changes nothing: the query ends by its own time limit.
      once(`KILL QUERY WHERE query_id IN (${which}) ASYNC`).catch(() => undefined)
    }
    const timer = setInterval(ask, KILL_AGAIN_MS)
    ask()
    return () => clearInterval(timer)
  }

  return {
    run: (operation, signal) =>
      lane[operation.lane].use(async () => {
        signal.throwIfAborted()
        const tag = randomUUID()
        const session = new Session(dir)
        let stopKilling: (() => void) | undefined
        const kill = (): void => {
          stopKilling ??= killer(tag)
        }
        signal.addEventListener('abort', kill, { once: true })
        try {
          await read(session, operation)
          await session.queryAsync(preamble(operation, tag))
          signal.throwIfAborted()
          const from = process.hrtime.bigint()
          const result = await session.queryAsync(toRun(operation), { format: operation.format })
          const elapsedNs = Number(process.hrtime.bigint() - from)
          return { bytes: result.bytes(), rowsRead: result.rowsRead, elapsedNs }
        } finally {
          signal.removeEventListener('abort', kill)
          stopKilling?.()
          session.close()
        }
      }),

    async close() {
      await drainPending()
      keeper.close()
    },
  }
}
