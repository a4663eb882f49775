import { ENTRY_FORM } from './index/entry.ts'
import { type Environment, openEnvironment } from './index/environment.ts'
import type { IndexFolder } from './index/folder.ts'
import { indexLookups } from './index/index-lookups.ts'
import { BEHIND_MS, indexStatus, type LookupIndexStatus } from './index/status.ts'
import type { LookupSource, Lookups } from './port.ts'

/** How long what was seen of the index holds, in milliseconds. */
const LOOK_MS = 50
/** How long an answer waits for the index to be as new as the one before it, in milliseconds. */
const JOIN_MS = 500
const AGAIN_MS = 5
/** After an index that did not catch up in time, the store answers for so long, in milliseconds. */
const REJOIN_MS = 1_000
/** How often it is said that somebody asks; and where there is no index, as its folder may have been deleted. */
const ASK_MS = 60 * 60_000
const ASK_AGAIN_MS = 1_000

export type SourcePorts = {
  folder: Pick<IndexFolder, 'ask' | 'askedAt' | 'refusal' | 'current'>
  store: Lookups
  /** The database of the live tables. */
  database: () => Promise<string>
  /** By partition, the next offset that the log gives to a change. */
  ends: () => Promise<readonly number[]>
  now: () => number
  pause: (ms: number) => Promise<unknown>
  onFailure: (error: unknown) => void
}

type Open = { path: string; env: Environment; lookups: Lookups }

/**
 * Look-ups of one process: in the index of the host while it is as new as an answer has to be, else in the store (decisions
 * 18.4, 18.6). After an answer of the store the index is read again once it has every change that was on the log since, so
 * that no answer goes back to an older one.
 */
export function lookupSource(
  ports: SourcePorts,
): LookupSource & { status(): Promise<LookupIndexStatus>; close(): Promise<void> } {
  const { folder, store, database, ends, now, pause, onFailure } = ports
  let open: Open | null = null
  let askedAt = Number.NEGATIVE_INFINITY
  let lookedAt = Number.NEGATIVE_INFINITY
  /** What the last look found; null: the store answers. */
  let found: Lookups | null = null
  let looking: Promise<Lookups | null> | null = null
  /** Whether no answer came from the store since the index was as new as the log. */
  let joined = false
  let joinAt = Number.NEGATIVE_INFINITY
  /** Questions that the store has not answered yet. */
  let inStore = 0
  let closed = false

  async function counted<T>(question: Promise<T>): Promise<T> {
    inStore++
    try {
      return await question
    } finally {
      inStore--
    }
  }
  const fromStore: Lookups = {
    by: 'store',
    rows: (...asked) => counted(store.rows(...asked)),
    around: (...asked) => counted(store.around(...asked)),
  }

  function ask(): void {
    if (performance.now() - askedAt < (open === null ? ASK_AGAIN_MS : ASK_MS)) return
    askedAt = performance.now()
    try {
      folder.ask()
    } catch (error) {
      onFailure(error)
    }
  }

  async function leave(): Promise<void> {
    const was = open
    open = null
    await was?.env.close()
  }

  let opening: Promise<unknown> = Promise.resolve()

  /** The index that is current now, open; null: there is none. One after another: a folder is opened once. */
  function current(): Promise<Open | null> {
    const mine = opening.then(openCurrent)
    opening = mine.catch(() => undefined)
    return mine
  }

  async function openCurrent(): Promise<Open | null> {
    const path = folder.current()
    if (path === open?.path) return open
    await leave()
    if (path === null || closed) return null
    const env = openEnvironment(path, null)
    open = { path, env, lookups: indexLookups(env, store) }
    return open
  }

  const isFresh = ({ env }: Open): boolean => now() - (env.state()?.asOf ?? 0) <= BEHIND_MS

  async function isUsable(index: Open): Promise<boolean> {
    const state = index.env.state()
    return state?.form === ENTRY_FORM && state.complete && isFresh(index) && state.database === (await database())
  }

  /** Waits until the index has every change that is on the log now; false: that takes too long. */
  async function hasCaughtUp(index: Open): Promise<boolean> {
    if (performance.now() < joinAt) return false
    const until = performance.now() + JOIN_MS
    joinAt = until + REJOIN_MS
    // What the store still says may be newer than the end of the log is now.
    while (inStore > 0 && performance.now() < until) await pause(AGAIN_MS)
    if (inStore > 0) return false
    const wanted = await ends()
    for (;;) {
      index.env.refresh()
      const at = index.env.state()?.positions ?? []
      if (wanted.every((offset, partition) => (at[partition] ?? 0) >= offset)) {
        joinAt = Number.NEGATIVE_INFINITY
        return true
      }
      if (performance.now() >= until) return false
      await pause(AGAIN_MS)
    }
  }

  async function look(): Promise<Lookups | null> {
    try {
      const index = await current()
      const usable = index !== null && (await isUsable(index)) && (joined || (await hasCaughtUp(index)))
      joined = usable
      return usable ? index.lookups : null
    } catch (error) {
      joined = false
      await leave().catch(() => undefined)
      onFailure(error)
      return null
    }
  }

  return {
    async next() {
      ask()
      if (performance.now() - lookedAt >= LOOK_MS) {
        looking ??= look().finally(() => {
          lookedAt = performance.now()
          looking = null
        })
        found = await looking
      }
      return found ?? fromStore
    },
    async status() {
      const index = await current()
      return indexStatus(folder, index?.env ?? null, { on: true, database: await database(), now: now() })
    },
    async close() {
      closed = true
      await looking
      await opening
      await leave()
    },
  }
}
