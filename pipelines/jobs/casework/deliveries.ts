/** Sends alerts to the destinations of their users, however many processes do (decisions-2 13.3; ADR 216). */

import { unheard, type WorkSignals } from '../../../connectors/postgres/work-signals/port.ts'
import { pause as pauseFor } from '../../../platform/pause.ts'
import { startRounds } from '../../../platform/rounds.ts'
import { idleWait } from '../../runtime/idle-wait.ts'
import { type DeliveryTryPorts, tryNext } from './delivery-try.ts'

export type DeliveryPorts = DeliveryTryPorts & {
  /** UUID of this process. */
  holder: string
  /** Which commits stored something; default: what is due is looked for twice a second. */
  work?: WorkSignals
  onFailure: (error: Error) => void
  /** Resolves after so many milliseconds, or once the signal is aborted. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Destinations at once, by one process. */
const AT_ONCE = 8
/** Of them on one host, so that one that does not answer keeps room for the others. */
const PER_HOST = 2

/** Long enough for a try of 10 s and the words about it; a process that died keeps its destinations for as long. */
const LEASE_MS = 30_000

const IDLE_MS = 500
const MAX_PAUSE_MS = 30_000
/** How long a process that stops waits for its tries, within the 10 s of a graceful stop (decisions 9.3). */
const GRACE_MS = 1_000

const TIDY_EVERY_MS = 60_000
const TIDY_ROWS = 10_000
/** Deliveries that ended are shown for as long. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000

/** Tries that this process has begun. */
export type Delivering = {
  /** Takes destinations that are due and there is room for, and begins a try of each; returns how many. */
  begin(): Promise<number>
  /** Resolves when no try is under way. */
  ended(): Promise<void>
  /** Cuts off the tries that are under way. */
  cut(): void
}

/** `onEnd` is called at the end of every try. */
export function delivering(ports: DeliveryPorts, onEnd: () => void = () => undefined): Delivering {
  const { queue, holder, now } = ports
  const tries = new Map<Promise<void>, { host: string; abort: AbortController }>()

  const hosts = (): Record<string, number> => {
    const groups = Map.groupBy(tries.values(), ({ host }) => host)
    return Object.fromEntries([...groups].map(([host, all]) => [host, all.length]))
  }

  return {
    async begin() {
      const limit = AT_ONCE - tries.size
      if (limit === 0) return 0
      const wanted = { holder, now: now(), leaseMs: LEASE_MS, limit, perHost: PER_HOST, sending: hosts() }
      const taken = await queue.take(wanted)
      for (const lease of taken) {
        const abort = new AbortController()
        const ended = tryNext(ports, lease, abort.signal)
          .catch(ports.onFailure)
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

/** Delivers until stopped; a failure of a store is logged and retried, after pauses that grow to half a minute. */
export function startDeliveries(ports: DeliveryPorts): { stop: () => Promise<void> } {
  const { queue, now, work = unheard, pause = pauseFor } = ports
  const sending = delivering(ports, () => rounds.wake())
  let tidiedAt = Number.NEGATIVE_INFINITY

  const rounds = startRounds({
    async round() {
      await sending.begin()
      if (now() - tidiedAt >= TIDY_EVERY_MS) {
        await queue.prune(now() - KEEP_MS, TIDY_ROWS)
        tidiedAt = now()
      }
      const restMs = Math.max(0, tidiedAt + TIDY_EVERY_MS - now())
      return Math.min(await idleWait({ work, idleMs: IDLE_MS, now, nextAt: queue.nextAt }), restMs)
    },
    onFailure: ports.onFailure,
    failedMs: IDLE_MS,
    maxPauseMs: MAX_PAUSE_MS,
    pause,
  })
  const unwatch = work.on('deliveries', rounds.wake)
  return {
    async stop() {
      unwatch()
      await rounds.stop()
      const grace = new AbortController()
      await Promise.race([sending.ended(), pause(GRACE_MS, grace.signal)])
      grace.abort()
      sending.cut()
      await sending.ended()
    },
  }
}
