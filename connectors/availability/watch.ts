import { busyOthers } from './busy.ts'
import { type Availability, StoreUnavailable } from './port.ts'

export type AvailabilityOptions = {
  /** The store, as errors name it. */
  name: string
  /** A question that costs next to nothing and waits behind no other; rejects when the store cannot answer it. */
  ping: (signal: AbortSignal) => Promise<unknown>
  /** Told of each time that the store went away and came back. */
  onChange?: (change: { store: string; away: boolean; reason: unknown }) => void
  /** Begins to measure how many processors others keep busy; default: `busyOthers`. */
  busy?: () => () => number
}

/** Work this old, or up to twice as old, makes the store suspect: it is asked whether it is there. */
const SUSPECT_MS = 200
/** The time without an answer is counted in steps; one that comes late, as this process was busy, counts once. */
const STEP_MS = 100
/** A store that refuses, or is silent on a machine that has processors left, is away after so many steps. */
const UNAVAILABLE_STEPS = 10
/** One that is silent while others work is late, not away, until so many. */
const LATE_STEPS = 40
/** Of processors, by others: as much as keeps a store from its answer, or as a store needs that works for somebody. */
const BUSY = 0.5
/** Pause after a ping without an answer, and how long a ping is waited for before the next one is sent. */
const AGAIN_MS = 100
const PING_MS = 1_000

type SuspectableWork = { suspect: boolean; stop: (reason: unknown) => void }
/** The time since the last answer. */
type Alarm = { steps: number; refused: boolean; busy: () => number; timer: NodeJS.Timeout }

/**
 * Watches over what waits for one store: work that takes longer than a moment has the store asked whether it is there,
 * and a store that answers neither pings nor work is away until the next answer (ADR 137). From the moment a store
 * refuses, or is silent on a machine with processors left, work waits for 2 x `SUSPECT_MS` + `AWAY_STEPS`; where the
 * machine is busy, for 2 x `SUSPECT_MS` + `LATE_STEPS`. Healthy stores with quick answers are never asked.
 */
export function watchAvailability({
  name,
  ping,
  onChange: told,
  busy = busyOthers,
}: AvailabilityOptions): Availability {
  const running = new Set<SuspectableWork>()
  let away = false
  let closed = false
  let pinging = false
  let reason: unknown
  let alarm: Alarm | undefined
  const unavailableError = () => new StoreUnavailable(name, 'does not answer', { cause: reason })

  const declareUnavailable = (): void => {
    away = true
    told?.({ store: name, away, reason })
    for (const { stop } of running) stop(unavailableError())
  }

  /** An interval never makes up for steps that it missed: what came meanwhile is seen before the next one. */
  const suspect = (): void => {
    if (alarm !== undefined) return
    const began: Alarm = { steps: 0, refused: false, busy: busy(), timer: setInterval(step, STEP_MS) }
    began.timer.unref()
    alarm = began
    function step(): void {
      began.steps++
      if (away || began.steps < UNAVAILABLE_STEPS) return
      if (began.refused || began.steps >= LATE_STEPS || began.busy() < BUSY) declareUnavailable()
    }
  }

  const noteAnswer = (): void => {
    clearInterval(alarm?.timer)
    alarm = undefined
    reason = undefined
    for (const each of running) each.suspect = false
    if (!away) return
    away = false
    told?.({ store: name, away, reason })
  }

  /** Sends a ping, and waits for its answer a moment only: a late one counts when it comes. */
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

  /** Goes on while anything runs or the store is away; one at a time. */
  async function pingWhileNeeded(): Promise<void> {
    if (pinging) return
    pinging = true
    try {
      while (!closed && (away || alarm !== undefined || running.size > 0)) {
        if (away || alarm !== undefined || [...running].some((each) => each.suspect)) await pingOnce()
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
      if (away) throw unavailableError()
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
        // What was asked for is as good an answer as that to a ping; silence counts from here on.
        if (alarm !== undefined && !away) noteAnswer()
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

/** The work, or a rejection once the signal says so; its own end is then nobody's concern. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return Promise.race([work, promise])
}

/** Keeps no process alive by itself. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
