import { setTimeout as sleep } from 'node:timers/promises'
import { rulesIn, type Scoring, type ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { Generations, History, LiveStore, ObservationStore } from '../port.ts'

/** Readers may ask the tables of before for this long after a promotion; those stay until somebody drops them. */
const TRUSTED_MS = 1_000
const POLL_MS = 100
/** All readers wait for one question: one that is lost is given up for the next. */
const LOST_MS = 3_000

/** The tables that are live, and the scoring rules by which they were scored. */
export type LiveHistory = History & { scoring: Scoring }

type KnownGeneration = { database: string; rules: string; scoring: ScoringRules; at: number }

/** Whatever is asked goes to the generation that is live. `now` in milliseconds of a clock that never jumps. */
export function liveHistory(home: History, generations: Pick<Generations, 'current'>, now: () => number): LiveHistory {
  let known: KnownGeneration | undefined
  let asking: Promise<KnownGeneration> | undefined

  const ask = async (): Promise<KnownGeneration> => {
    const at = now()
    const { database, rules } = await generations.current(AbortSignal.timeout(LOST_MS))
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
    query: async (query, signal) => (await live()).query(query, signal),
    insert: async (table, block, token) => (await live()).insert(table, block, token),
    command: async (sql, params) => (await live()).command(sql, params),
    at: (database) => home.at(database),
    ping: () => home.ping(),
    close: () => home.close(),
  }
}

/**
 * The store of the generation that is live, for one batch: asked after the range of the batch was begun, and not given
 * while somebody holds (ADR 132). The same object as long as the generation stays.
 */
export function liveStore(
  generations: Pick<Generations, 'current'>,
  open: (database: string) => ObservationStore,
): (signal: AbortSignal) => Promise<LiveStore> {
  let known: LiveStore | undefined
  return async (signal) => {
    for (;;) {
      signal.throwIfAborted()
      const { held, ...live } = await generations.current(signal)
      if (!held) {
        if (known?.database !== live.database || known.rules !== live.rules)
          known = { ...live, store: open(live.database) }
        return known
      }
      await sleep(POLL_MS, undefined, { signal })
    }
  }
}
