import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Availability, StoreUnavailable } from './port.ts'

/** CPU milliseconds spent on this machine in total, and by this process alone. */
function cpuTimes(): { all: number; own: number } {
  const all = cpus().reduce((sum, { times: t }) => sum + t.user + t.nice + t.sys + t.irq, 0)
  const { user, system } = process.cpuUsage()
  return { all, own: (user + system) / 1000 }
}

/**
 * Starts a measurement. The returned function says how many processors other processes have kept busy since then, on
 * average: 0.5 means one processor for half of the time.
 */
function busyOthers(): () => number {
  const from = performance.now()
  const before = cpuTimes()
  return () => {
    const now = cpuTimes()
    return (now.all - before.all - (now.own - before.own)) / Math.max(1, performance.now() - from)
  }
}

export type AvailabilityOptions = {
  /** Name of the store in error messages. */
  name: string
  /** A query that costs almost nothing and queues behind no other; rejects when the store cannot answer it. */
  ping: (signal: AbortSignal) => Promise<unknown>
  /** Called each time the store becomes unavailable or available again. */
  onChange?: (change: { store: string; unavailable: boolean; reason: unknown }) => void
  /** Starts to measure how many processors other processes keep busy; default: `busyOthers`. */
  busy?: () => () => number
  /** Waits so many milliseconds; the default does not keep the process alive. */
  pause?: (ms: number) => Promise<void>
}

/**
 * Work that takes this long (up to twice as long, since it is checked at intervals) makes the store suspect: a ping
 * is sent.
 */
const SUSPECT_MS = 200
/** Time without an answer is counted in steps. A step that fires late because this process was busy counts once. */
const STEP_MS = 100
/**
 * A store that refuses connections, or stays silent on a machine with free processors, is unavailable after this many
 * steps.
 */
const UNAVAILABLE_STEPS = 10
/** A store that stays silent while other processes keep the machine busy is unavailable only after this many steps. */
const LATE_STEPS = 40
/**
 * Processors kept busy by others. From this load on, a healthy store may be too slow to answer, or may be working for
 * another client.
 */
const BUSY = 0.5
/** The longest time, in milliseconds, that may pass between a store falling silent and being found unavailable. */
export const FOUND_AWAY_MS = 2 * SUSPECT_MS + LATE_STEPS * STEP_MS

/** Pause after a ping without an answer. */
const AGAIN_MS = 100
const PING_MS = 1_000

type SuspectableWork = { suspect: boolean; stop: (reason: unknown) => void }
/** The time since the last answer. */
type Alarm = { steps: number; refused: boolean; busy: () => number; timer: NodeJS.Timeout }

/**
 * Health check with a circuit breaker for one store (ADR 281). Work that takes longer than a moment triggers a ping;
 * a store that answers neither pings nor work is unavailable until its next answer. From the moment a store refuses
 * connections, or is silent on a machine with free processors, work waits for at most 2 x `SUSPECT_MS` plus
 * `UNAVAILABLE_STEPS`; on a busy machine for at most 2 x `SUSPECT_MS` plus `LATE_STEPS`. A store that answers quickly
 * is never pinged.
 */
export function watchAvailability(options: AvailabilityOptions): Availability {
  const { name, ping, onChange, busy = busyOthers, pause = pauseUnreferenced } = options
  const running = new Set<SuspectableWork>()
  let unavailable = false
  let closed = false
  let pinging = false
  let reason: unknown
  let alarm: Alarm | undefined
  const unavailableError = () => new StoreUnavailable(name, 'does not answer', { cause: reason })

  const declareUnavailable = (): void => {
    unavailable = true
    onChange?.({ store: name, unavailable, reason })
    for (const { stop } of running) stop(unavailableError())
  }

  /**
   * An interval does not make up for steps that it missed: an answer that arrived meanwhile is seen before the next
   * step.
   */
  const suspect = (): void => {
    if (alarm !== undefined) return
    const began: Alarm = { steps: 0, refused: false, busy: busy(), timer: setInterval(step, STEP_MS) }
    began.timer.unref()
    alarm = began
    function step(): void {
      began.steps++
      if (unavailable || began.steps < UNAVAILABLE_STEPS) return
      if (began.refused || began.steps >= LATE_STEPS || began.busy() < BUSY) declareUnavailable()
    }
  }

  const noteAnswer = (): void => {
    clearInterval(alarm?.timer)
    alarm = undefined
    reason = undefined
    for (const each of running) each.suspect = false
    if (!unavailable) return
    unavailable = false
    onChange?.({ store: name, unavailable, reason })
  }

  /**
   * Sends a ping and waits a bounded time for its answer. An answer that arrives later still counts when it arrives.
   */
  async function pingOnce(): Promise<void> {
    suspect()
    const late = new AbortController()
    const ms = LATE_STEPS * STEP_MS
    const timer = setTimeout(() => late.abort(new Error(`no answer within ${ms} ms`)), ms)
    const pinged = abortable(ping(late.signal), late.signal)
      .then(
        () => {
          if (!closed) noteAnswer()
        },
        (error: unknown) => {
          reason = error
          if (alarm !== undefined && !late.signal.aborted) alarm.refused = true
        },
      )
      .finally(() => clearTimeout(timer))
    await Promise.race([pinged, pause(PING_MS)])
    if (alarm !== undefined) await pause(AGAIN_MS)
  }

  /** Pings while any work runs or the store is unavailable. Only one loop runs at a time. */
  async function pingWhileNeeded(): Promise<void> {
    if (pinging) return
    pinging = true
    try {
      while (!closed && (unavailable || alarm !== undefined || running.size > 0)) {
        if (unavailable || alarm !== undefined || [...running].some((each) => each.suspect)) await pingOnce()
        else for (const each of running) each.suspect = true
        if (alarm === undefined) await pause(SUSPECT_MS)
      }
    } finally {
      pinging = false
    }
  }

  return {
    async during(work, given) {
      given?.throwIfAborted()
      if (unavailable) throw unavailableError()
      const { promise, reject } = Promise.withResolvers<never>()
      const own = new AbortController()
      const stop = (why: unknown): void => {
        own.abort(why)
        reject(why)
      }
      const leave = (): void => stop(given?.reason)
      const each: SuspectableWork = { suspect: false, stop }
      running.add(each)
      given?.addEventListener('abort', leave, { once: true })
      try {
        void pingWhileNeeded()
        const result = await Promise.race([work(own.signal), promise])
        // The result of the work is as good an answer as that of a ping. Silence is counted from here on.
        if (alarm !== undefined && !unavailable) noteAnswer()
        return result
      } finally {
        running.delete(each)
        given?.removeEventListener('abort', leave)
      }
    },
    close() {
      closed = true
      clearInterval(alarm?.timer)
    },
  }
}

/** The result of the work, or a rejection once the signal aborts. The result of aborted work is ignored. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return Promise.race([work, promise])
}

/** Keeps no process alive by itself. */
const pauseUnreferenced = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false })
