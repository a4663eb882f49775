import { randomUUID } from 'node:crypto'
import { drainPending, Session } from 'chdb'
import { FIRST, reader, toRun } from './engine-reading.ts'
import type { Operation } from './operation.ts'
import { ANALYST, writeRights } from './rights.ts'
import { slots } from './slots.ts'
import { literal, quotedName } from './statement/literals.ts'

type PreparedSessions = {
  /**
   * Runs `work` on a session in which `prepare` was run. Both get the tag of the session, by which its query is killed.
   * @param key of sessions that are prepared alike: one is kept for the next call when `work` resolves. Null: the
   * session is for this call alone
   */
  use<T>(
    key: string | null,
    prepare: (tag: string) => string,
    work: (session: Session, tag: string) => Promise<T>,
  ): Promise<T>
  /** Releases the sessions that are kept; one in use is released when its work ends. */
  close(): void
}

/** More than the kinds of statements that come again and again, times the reads at once. */
const MAX_KEPT = 32

/**
 * A new session and its settings are a quarter of what a small statement costs, so they are kept (ADR 265). Not after an
 * error: the partial answer of a query that failed would come before the next one.
 */
export function preparedSessions(open: () => Session): PreparedSessions {
  const kept: { key: string; session: Session; tag: string }[] = []
  let closed = false

  function keep(key: string | null, session: Session, tag: string): void {
    if (key !== null && !closed) kept.push({ key, session, tag })
    else session.close()
    if (kept.length > MAX_KEPT) kept.shift()!.session.close()
  }

  return {
    async use(key, prepare, work) {
      const at = kept.findLastIndex((each) => each.key === key)
      const ready = at === -1 ? undefined : kept.splice(at, 1)[0]
      const { session, tag } = ready ?? { session: open(), tag: randomUUID() }
      try {
        if (ready === undefined) await session.queryAsync(prepare(tag))
        const result = await work(session, tag)
        keep(key, session, tag)
        return result
      } catch (error) {
        session.close()
        throw error
      }
    },
    close() {
      closed = true
      for (const { session } of kept.splice(0)) session.close()
    },
  }
}

export type Lanes = { read: number; insert: number; analyst: number; queue: number }

export type Answer = { bytes: Uint8Array; rowsRead: number; elapsedNs: number }

/** Takes the bytes of an answer as they come; the next come when it resolves. */
export type TakeBytes = (bytes: Uint8Array) => Promise<void>

export type EngineSessions = {
  /** @param take of a SELECT in a format of lines: gets the answer piece by piece, so that no process holds all of it */
  run(operation: Operation, signal: AbortSignal, take?: TakeBytes): Promise<Answer>
  /** Waits for what runs, then releases the folder. */
  close(): Promise<void>
}

const KILL_AGAIN_MS = 100
const MAX_KILLS = 100
const MEMORY_MS = 1_000

/** Of all parameters of a statement whose session is kept; below what the statement itself may be long. */
const MAX_KEPT_PARAMS = 100_000

const bound = ({ params }: Operation): string[] =>
  Object.entries(params).map(([name, value]) => `param_${name}=${literal(value)}`)

const setBound = (operation: Operation): string => `SET ${bound(operation).join(', ')}`

const preamble = (operation: Operation, tag: string, withParams: boolean): string => {
  const { database, settings, confined } = operation
  const pairs = Object.entries(settings).map(([name, value]) => `${name}=${literal(value)}`)
  const set = [...pairs, ...(withParams ? bound(operation) : []), `log_comment=${literal(tag)}`].join(', ')
  const narrowed = confined === true ? `; SET ROLE ${ANALYST}; SET readonly = 1` : ''
  return `${FIRST}; USE ${quotedName(database)}; SET ${set}${narrowed}`
}

/**
 * What the session of a read of the platform is kept under, so that the next statement with the same settings finds it.
 * The names of the parameters belong to it: a statement sets all of them, so none is left of an earlier one. Null: a
 * session alone, for writes, for SQL users, and for anything but a SELECT, which could change the session.
 */
function keyOf({ sql, lane, confined, database, settings, params }: Operation): string | null {
  if (lane !== 'read' || confined === true || !/^\s*(SELECT|WITH)\b/i.test(sql)) return null
  const bytes = Object.values(params).reduce((sum, value) => sum + value.length, 0)
  return bytes > MAX_KEPT_PARAMS ? null : JSON.stringify([database, settings, Object.keys(params).sort()])
}

/**
 * The engine would take nine tenths of the machine, and caches of 5 GiB each. It compares what it counts of its memory
 * with what the system says: by default every 50 ms, a quarter of what an idle platform used (ADR 281).
 */
const bounds = (memoryBytes: number): string[] => [
  `--max_server_memory_usage=${memoryBytes}`,
  `--memory_worker_period_ms=${MEMORY_MS}`,
  ...['mark', 'index_mark', 'primary_index'].map((of) => `--${of}_cache_size=${Math.floor(memoryBytes / 10)}`),
]

/**
 * @param bind sets the parameters on a session that is kept; empty where it is prepared with them. It goes with the
 * statement in one call, for which a thread is woken up once
 */
async function answerOf(
  session: Session,
  operation: Operation,
  bind: string,
  take: TakeBytes | undefined,
): Promise<Pick<Answer, 'bytes' | 'rowsRead'>> {
  const [sql, how] = [toRun(operation), { format: operation.format }] as const
  if (take === undefined) {
    const whole = await session.queryAsync(bind === '' ? sql : `${bind};\n${sql}`, how)
    return { bytes: whole.bytes(), rowsRead: whole.rowsRead }
  }
  if (bind !== '') await session.queryAsync(bind)
  let rows = 0
  for await (const piece of session.queryStream(sql, how)) {
    rows += piece.numRows
    await take(piece.raw())
  }
  return { bytes: new Uint8Array(), rowsRead: rows }
}

/**
 * Sessions on the data folder `dir`: one for each operation at a time, since settings and parameters stick to a session.
 * @param memoryBytes of all queries and caches together; past it a query ends with MEMORY_LIMIT_EXCEEDED
 * @param lanes how many operations run at once, by kind; at most `queue` wait in each
 */
export const openSessions = (dir: string, lanes: Lanes, memoryBytes: number): EngineSessions => {
  // Keeps the engine, and with it the lock of the folder, between operations.
  const keeper = new Session(dir, { connectionArgs: [`--config-file=${writeRights(dir)}`, ...bounds(memoryBytes)] })
  const prepared = preparedSessions(() => new Session(dir))
  const read = reader((work) => prepared.use('statements are read', () => FIRST, work))
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
    run: (operation, signal, take) =>
      lane[operation.lane].use(async () => {
        signal.throwIfAborted()
        await read(operation)
        const key = keyOf(operation)
        return prepared.use(
          key,
          (tag) => preamble(operation, tag, key === null),
          async (session, tag) => {
            let stopKilling: (() => void) | undefined
            const kill = (): void => {
              stopKilling ??= killer(tag)
            }
            signal.throwIfAborted()
            signal.addEventListener('abort', kill, { once: true })
            try {
              const bind = key === null || Object.keys(operation.params).length === 0 ? '' : setBound(operation)
              const from = process.hrtime.bigint()
              const result = await answerOf(session, operation, bind, take)
              const elapsedNs = Number(process.hrtime.bigint() - from)
              // A kill that is under way must find no later statement under this tag.
              signal.throwIfAborted()
              return { bytes: result.bytes, rowsRead: result.rowsRead, elapsedNs }
            } finally {
              signal.removeEventListener('abort', kill)
              stopKilling?.()
            }
          },
        )
      }),

    async close() {
      await drainPending()
      prepared.close()
      keeper.close()
    },
  }
}
