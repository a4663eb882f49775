/** Tries that several processes share: each takes what is due by leases, some at once (ADR 280). */

import { unheard, type WorkSignals } from '../../../connectors/postgres/core/port.ts'
import type { TakeQueues } from '../../../connectors/postgres/deliveries/port.ts'
import { pause as pauseFor } from '../../../platform/pause.ts'
import { startRounds } from '../../../platform/rounds.ts'
import { idleWait } from './idle-wait.ts'

export type TriesOptions<Lease extends { host: string }> = {
  /** Leases what is due, as far as there is room. */
  take: (room: TakeQueues) => Promise<Lease[]>
  /** One try. When `signal` cuts it off, it gives back what it has. */
  attempt: (lease: Lease, signal: AbortSignal) => Promise<void>
  /** Long enough for a try; a process that died keeps its leases for as long. */
  leaseMs: number
  /** UUID of this process. */
  holder: string
  /** Unix milliseconds. */
  now: () => number
  onFailure: (error: Error) => void
}

/** Tries that this process has begun. */
export type Tries = {
  /** Takes what is due and there is room for, and begins a try of each; returns how many. */
  begin(): Promise<number>
  /** Resolves when no try is under way. */
  ended(): Promise<void>
  /** Cuts off the tries that are under way. */
  cut(): void
}

/** At once, by one process: receivers are slow, and their connections cost little. */
const AT_ONCE = 8
/** Of them to one host, so that one that does not answer keeps room for the others. */
const PER_HOST = 2

const IDLE_MS = 500
const MAX_PAUSE_MS = 30_000
/** How long a process that stops waits for its tries, within the 10 s of a graceful stop (decisions 9.3). */
const GRACE_MS = 1_000

const TIDY_EVERY_MS = 60_000

/** `onEnd` is called at the end of every try. */
export function leasedTries<Lease extends { host: string }>(
  { take, attempt, leaseMs, holder, now, onFailure }: TriesOptions<Lease>,
  onEnd: () => void = () => undefined,
): Tries {
  const tries = new Map<Promise<void>, { host: string; abort: AbortController }>()

  const hosts = (): Record<string, number> => {
    const groups = Map.groupBy(tries.values(), ({ host }) => host)
    return Object.fromEntries([...groups].map(([host, all]) => [host, all.length]))
  }

  return {
    async begin() {
      const limit = AT_ONCE - tries.size
      if (limit === 0) return 0
      const taken = await take({ holder, now: now(), leaseMs, limit, perHost: PER_HOST, sending: hosts() })
      for (const lease of taken) {
        const abort = new AbortController()
        const ended = attempt(lease, abort.signal)
          .catch(onFailure)
          .finally(() => {
            tries.delete(ended)
            onEnd()
          })
        tries.set(ended, { host: lease.host, abort })
      }
      return taken.length
    },
    async ended() {
      await Promise.all(tries.keys())
    },
    cut() {
      for (const { abort } of tries.values()) abort.abort()
    },
  }
}

export type TryingOptions<Lease extends { host: string }> = TriesOptions<Lease> & {
  /** The kind of work that its commits leave. */
  kind: Parameters<WorkSignals['on']>[0]
  /** When a try is due next, unix milliseconds; null: none waits. */
  nextAt: () => Promise<number | null>
  /** Done at the start and once a minute. */
  tidy: () => Promise<void>
  /** Which commits stored something; default: what is due is looked for twice a second. */
  work?: WorkSignals
  /** Resolves after so many milliseconds, or once the signal is aborted. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * Tries what is due until stopped. A failure of the store is told to `onFailure` and retried, after pauses that grow to
 * half a minute. `stop` waits a second for the tries that are under way, and cuts off the rest.
 */
export function startLeasedTries<Lease extends { host: string }>(
  options: TryingOptions<Lease>,
): { stop: () => Promise<void> } {
  const { kind, nextAt, tidy, now, onFailure, work = unheard, pause = pauseFor } = options
  const tries = leasedTries(options, () => rounds.wake())
  let tidiedAt = Number.NEGATIVE_INFINITY

  const rounds = startRounds({
    async round() {
      await tries.begin()
      if (now() - tidiedAt >= TIDY_EVERY_MS) {
        await tidy()
        tidiedAt = now()
      }
      const restMs = Math.max(0, tidiedAt + TIDY_EVERY_MS - now())
      return Math.min(await idleWait({ work, idleMs: IDLE_MS, now, nextAt }), restMs)
    },
    onFailure,
    failedMs: IDLE_MS,
    maxPauseMs: MAX_PAUSE_MS,
    pause,
  })
  const unwatch = work.on(kind, rounds.wake)
  return {
    async stop() {
      unwatch()
      await rounds.stop()
      const grace = new AbortController()
      await Promise.race([tries.ended(), pause(GRACE_MS, grace.signal)])
      grace.abort()
      tries.cut()
      await tries.ended()
    },
  }
}
