import { type Presence, StoreUnavailable } from './port.ts'

export type WatchOptions = {
  /** The store, as errors name it. */
  name: string
  /** A question that costs next to nothing and waits behind no other; rejects when the store cannot answer it. */
  ping: (signal: AbortSignal) => Promise<unknown>
  /** Told of each time that the store went away and came back. */
  told?: (change: { store: string; away: boolean; reason: unknown }) => void
}

/** Work this old, or up to twice as old, makes the store suspect: it is asked whether it is there. */
const SUSPECT_MS = 200
/** Without any answer for this long the store is away. */
const AWAY_MS = 1_000
/** Pause after a ping that was refused at once, and between pings of a store that is away. */
const AGAIN_MS = 100
/** Of `AWAY_MS`: what a process that was busy itself gets to notice an answer that is there already. */
const NOTICE_MS = 200

type Running = { suspect: boolean; stop: (reason: unknown) => void }

/**
 * Watches over what waits for one store: work that takes longer than a moment has the store asked whether it is there,
 * and a store without an answer is away until the next one (ADR 137). From the moment a store stops answering, work
 * waits for 2 x `SUSPECT_MS` + `AWAY_MS` at most. Healthy stores with quick answers are never asked.
 */
export function watch({ name, ping, told }: WatchOptions): Presence {
  const running = new Set<Running>()
  let away = false
  let closed = false
  let looking = false
  let reason: unknown
  let alarm: NodeJS.Timeout | undefined

  const gone = () => new StoreUnavailable(name, 'does not answer', { cause: reason })

  const declare = (): void => {
    away = true
    told?.({ store: name, away, reason })
    for (const { stop } of running) stop(gone())
  }

  /** Two timers: one that is late because this process was busy leaves the other to see what came meanwhile. */
  const suspect = (): void => {
    alarm ??= setTimeout(() => {
      alarm = setTimeout(declare, NOTICE_MS)
    }, AWAY_MS - NOTICE_MS)
  }

  const answered = (): void => {
    clearTimeout(alarm)
    alarm = undefined
    reason = undefined
    for (const each of running) each.suspect = false
    if (!away) return
    away = false
    told?.({ store: name, away, reason })
  }

  async function ask(): Promise<void> {
    suspect()
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new Error(`no answer in ${AWAY_MS} ms`)), AWAY_MS)
    try {
      await abandoned(ping(late.signal), late.signal)
      if (!closed) answered()
    } catch (error) {
      reason = error
      await pause(AGAIN_MS)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Goes on while anything runs or the store is away; one at a time. */
  async function look(): Promise<void> {
    if (looking) return
    looking = true
    try {
      while (!closed && (away || alarm !== undefined || running.size > 0)) {
        if (away || alarm !== undefined || [...running].some((each) => each.suspect)) await ask()
        else for (const each of running) each.suspect = true
        if (alarm === undefined) await pause(SUSPECT_MS)
      }
    } finally {
      looking = false
    }
  }

  return {
    async during(work, given) {
      given?.throwIfAborted()
      if (away) throw gone()
      const { promise, reject } = Promise.withResolvers<never>()
      const own = new AbortController()
      const stop = (why: unknown): void => {
        own.abort(why)
        reject(why)
      }
      const leave = (): void => stop(given?.reason)
      const each: Running = { suspect: false, stop }
      running.add(each)
      given?.addEventListener('abort', leave, { once: true })
      try {
        void look()
        return await Promise.race([work(own.signal), promise])
      } finally {
        running.delete(each)
        given?.removeEventListener('abort', leave)
      }
    },
    close() {
      closed = true
      clearTimeout(alarm)
    },
  }
}

/** The work, or a rejection once the signal says so; its own end is then nobody's concern. */
function abandoned<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return Promise.race([work, promise])
}

/** Keeps no process alive by itself. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
