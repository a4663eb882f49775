import { ENTRY_FORM } from '../../schemas/intelligence/state/rows/entry.ts'
import { type Environment, openEnvironment } from './index/environment.ts'
import type { IndexFolder } from './index/index-folder.ts'
import { indexLookups } from './index/index-lookups.ts'
import { BEHIND_MS, indexStatus, type LookupIndexStatus } from './index/status.ts'
import type { LookupSource, Lookups } from './port.ts'

/** How long what was seen of the index holds, in milliseconds. */
const LOOK_MS = 50
/** How long an answer waits for the index to be as new as the one before it, in milliseconds. */
const JOIN_MS = 500
const AGAIN_MS = 5
/** After an index that did not catch up in time, or could not be read, the store answers for so long, in milliseconds. */
const REST_MS = 1_000
/** Failures that are known by their text. */
const MOST_TOLD = 20
/** How often it is said that somebody asks; and where there is no index, as its folder may have been deleted. */
const ASK_MS = 60 * 60_000
const ASK_AGAIN_MS = 1_000

export type SourcePorts = {
  folder: Pick<IndexFolder, 'ask' | 'askedAt' | 'refusal' | 'current'>
  store: Lookups
  /** The database of the live tables. */
  database: () => Promise<string>
  /** The next offset of `entity.rows`: rows are there before a statement of the store finds them. */
  end: () => Promise<number>
  now: () => number
  pause: (ms: number) => Promise<unknown>
  onFailure: (error: unknown) => void
}

type Open = { path: string; env: Environment; lookups: Lookups }

/**
 * Look-ups of one process: in the index of the host while it is as new as an answer has to be, else in the store
 * (decisions 18.4, 18.6). After an answer of the store the index is read again once it has every change that was on the log since, so
 * that no answer goes back to an older one.
 */
export function lookupSource(
  ports: SourcePorts,
): LookupSource & { status(): Promise<LookupIndexStatus>; close(): Promise<void> } {
  const { folder, store, database, end, now, pause, onFailure } = ports
  let open: Open | null = null
  let askedAt = Number.NEGATIVE_INFINITY
  let lookedAt = Number.NEGATIVE_INFINITY
  /** What the last look found; null: the store answers. */
  let found: Lookups | null = null
  let looking: Promise<void> | null = null
  /** Whether no answer came from the store since the index was as new as the log. */
  let joined = false
  let restsUntil = Number.NEGATIVE_INFINITY
  /** Questions that the store has not answered yet, and how many it was asked. */
  let inStore = 0
  let asked = 0
  const told = new Set<string>()
  let closed = false

  /** Whoever began with the store goes on with it, also once others are answered by the index: it has to catch up anew. */
  async function counted<T>(question: () => Promise<T>): Promise<T> {
    inStore++
    asked++
    joined = false
    found = null
    try {
      return await question()
    } finally {
      inStore--
    }
  }
  const fromStore: Lookups = {
    by: 'store',
    rows: (...given) => counted(() => store.rows(...given)),
    wholeRows: (...given) => counted(() => store.wholeRows(...given)),
    entities: (...given) => counted(() => store.entities(...given)),
    keyed: (...given) => counted(() => store.keyed(...given)),
    around: (...given) => counted(() => store.around(...given)),
  }

  /** The look-ups of an index for as long as others are answered by it; then the store goes on. */
  function whileFound(env: Environment): Lookups {
    const inIndex = indexLookups(env, store)
    const now = (): Lookups => (found === lookups ? inIndex : fromStore)
    const lookups: Lookups = {
      by: 'index',
      rows: (...given) => now().rows(...given),
      wholeRows: (...given) => now().wholeRows(...given),
      entities: (...given) => now().entities(...given),
      keyed: (...given) => now().keyed(...given),
      around: (...given) => now().around(...given),
    }
    return lookups
  }

  function ask(): void {
    if (performance.now() - askedAt < (open === null ? ASK_AGAIN_MS : ASK_MS)) return
    askedAt = performance.now()
    try {
      folder.ask()
    } catch (error) {
      tell(error)
    }
  }

  /** A failure that lasts is told once. */
  function tell(error: unknown): void {
    const text = String(error)
    if (told.has(text)) return
    if (told.size >= MOST_TOLD) told.clear()
    told.add(text)
    onFailure(error)
  }

  async function leave(): Promise<void> {
    const was = open
    open = null
    joined = false
    found = null
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
    // Somebody deleted it, and with it that it is asked for.
    if (open !== null && path === null) askedAt = Number.NEGATIVE_INFINITY
    await leave()
    if (path === null || closed) return null
    const env = openEnvironment(path, null)
    open = { path, env, lookups: whileFound(env) }
    return open
  }

  /** Nor is one believed that is of a time to come: the clock was set. */
  const isFresh = ({ env }: Open): boolean => Math.abs(now() - (env.state()?.asOf ?? 0)) <= BEHIND_MS

  async function isUsable(index: Open): Promise<boolean> {
    index.env.refresh()
    const state = index.env.state()
    return state?.form === ENTRY_FORM && state.complete && isFresh(index) && state.database === (await database())
  }

  /** Waits until the index has all rows that are on the log now; false: that takes too long. */
  async function hasCaughtUp(index: Open): Promise<boolean> {
    const until = performance.now() + JOIN_MS
    restsUntil = until + REST_MS
    let before: number
    do {
      // What the store still says may be newer than the end of the log is now.
      while (inStore > 0 && performance.now() < until) await pause(AGAIN_MS)
      if (inStore > 0) return false
      before = asked
      const wanted = await end()
      while (!hasAll(index, wanted)) {
        if (performance.now() >= until) return false
        await pause(AGAIN_MS)
      }
    } while (before !== asked)
    restsUntil = Number.NEGATIVE_INFINITY
    // At once: the next question to the store ends it.
    joined = true
    return true
  }

  function hasAll({ env }: Open, wanted: number): boolean {
    env.refresh()
    return (env.state()?.position ?? 0) >= wanted
  }

  async function look(): Promise<void> {
    if (performance.now() < restsUntil) return
    try {
      const index = await current()
      const usable = index !== null && (await isUsable(index)) && (joined || (await hasCaughtUp(index)))
      if (usable) told.clear()
      else joined = false
      found = index !== null && joined ? index.lookups : null
    } catch (error) {
      restsUntil = performance.now() + REST_MS
      await leave().catch(() => undefined)
      tell(error)
    }
  }

  return {
    store,
    async next(asks = true) {
      if (asks) ask()
      if (performance.now() - lookedAt >= LOOK_MS) {
        looking ??= look().finally(() => {
          lookedAt = performance.now()
          looking = null
        })
        await looking
      }
      return found ?? fromStore
    },
    async status() {
      // One that cannot be opened is made anew: until then there is none.
      const index = await current().catch(() => null)
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
