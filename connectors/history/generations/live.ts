import { setTimeout as sleep } from 'node:timers/promises'
import { rulesIn, type Scoring, type ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import { StoreSlow } from '../../availability/port.ts'
import { FOUND_AWAY_MS } from '../../availability/watch.ts'
import type { History, ObservationStore } from '../port.ts'
import type { Generations, LiveStore } from './port.ts'

/** Readers may use the old tables for this long after a promotion; those tables stay until an operator drops them. */
const TRUSTED_MS = 1_000
const POLL_MS = 100
/**
 * All readers share one lookup of the pointer. One without an answer is given up after this time and repeated: by then a store
 * that is away was found to be away.
 */
const LOST_MS = FOUND_AWAY_MS + 600

/** The tables that are live, and the scoring rules that their scores follow. */
export type LiveHistory = History & {
  scoring: Scoring
  /** The tables that belong to no generation. */
  home: History
  /** The database of the live tables. */
  database(): Promise<string>
}

type KnownGeneration = { database: string; rules: string; scoring: ScoringRules; at: number }

/**
 * Every query goes to the live generation. `now` in milliseconds of a monotonic clock.
 * @throws StoreSlow from each method when the pointer to the live generation is not read within `lostMs`
 */
export function liveHistory(
  home: History,
  generations: Pick<Generations, 'current'>,
  now: () => number,
  lostMs = LOST_MS,
): LiveHistory {
  let known: KnownGeneration | undefined
  let asking: Promise<KnownGeneration> | undefined

  const ask = async (): Promise<KnownGeneration> => {
    const at = now()
    const late = AbortSignal.timeout(lostMs)
    const { database, rules } = await generations.current(late).catch((error: unknown) => {
      if (!late.aborted) throw error
      throw new StoreSlow('the history store', 'does not say in time which tables are live', { cause: error })
    })
    known = { database, rules, at, scoring: known?.rules === rules ? known.scoring : rulesIn(rules) }
    return known
  }

  const current = (): Promise<KnownGeneration> => {
    if (known !== undefined && now() - known.at < TRUSTED_MS) return Promise.resolve(known)
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
  const live = async (): Promise<History> => home.at((await current()).database)

  return {
    scoring: async () => (await current()).scoring,
    home,
    database: async () => (await current()).database,
    query: async (query, signal) => (await live()).query(query, signal),
    stream: async (query, format, signal) => (await live()).stream(query, format, signal),
    insert: async (table, block, token) => (await live()).insert(table, block, token),
    command: async (sql, params) => (await live()).command(sql, params),
    at: (database) => home.at(database),
    ping: () => home.ping(),
    close: () => home.close(),
  }
}

/**
 * The store of the live generation for one batch. It is looked up after the range of the batch was begun, and waits
 * while a command has the lock (ADR 132). The same object is returned as long as the generation stays the same.
 */
export function liveStore(
  generations: Pick<Generations, 'current'>,
  open: (database: string) => ObservationStore,
): (signal: AbortSignal) => Promise<LiveStore> {
  let known: LiveStore | undefined
  return async (signal) => {
    for (;;) {
      signal.throwIfAborted()
      const { locked, ...live } = await generations.current(signal)
      if (!locked) {
        if (known?.database !== live.database || known.rules !== live.rules)
          known = { ...live, store: open(live.database) }
        return known
      }
      await sleep(POLL_MS, undefined, { signal })
    }
  }
}
