import type { WorkSignals } from './port.ts'

/** The channel on which the database tells of commits; the payload is a kind of work. */
export const WORK_CHANNEL = 'harrier_work'

/** How long a worker that hears of commits of a server waits at most: the cost of a lost notification, milliseconds. */
export const HEARING_MS = 10_000
/** The same within one process, where none gets lost. */
export const HEARING_OWN_MS = 60_000

export type SignalHub = WorkSignals & {
  /** A payload of the channel; one that is no kind of work rings nobody. */
  ring(payload: string): void
  /** Whether commits are heard of from now on. A change rings everybody: earlier commits may have gone unheard. */
  setHearing(hearing: boolean): void
}

/**
 * Hands what is heard of commits to the workers of this process.
 * @param hearingMs how long a worker waits at most while commits are heard of
 * @param onFirst called when a worker wants to hear of commits for the first time
 */
export function signalHub(hearingMs: number, onFirst: () => void = () => undefined): SignalHub {
  const bells = new Map<string, Set<() => void>>()
  let hearing = false
  let wanted = false
  return {
    on(kind, ring) {
      const all = bells.get(kind) ?? new Set()
      bells.set(kind, all.add(ring))
      if (!wanted) onFirst()
      wanted = true
      return () => void all.delete(ring)
    },
    patienceMs: (deafMs) => (hearing ? Math.max(deafMs, hearingMs) : deafMs),
    ring(payload) {
      for (const ring of bells.get(payload) ?? []) ring()
    },
    setHearing(now) {
      if (hearing === now) return
      hearing = now
      for (const all of bells.values()) for (const ring of all) ring()
    },
  }
}
