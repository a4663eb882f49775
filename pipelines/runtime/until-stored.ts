import type { EventLog } from '../../connectors/log/port.ts'
import type { Change } from '../../schemas/intelligence/state/change.ts'
import { OBSERVATIONS } from '../../schemas/log/topics.ts'

/** The group that stores the entities. */
const OBSERVERS = 'observe'
const LOOK_MS = 20

/**
 * Waits until what changes say is stored: they are sent before the rows of their observations are, and all of a range is
 * stored at once (ADR 116).
 * @param pause resolves after so many milliseconds, or as soon as the signal is aborted
 */
export function untilStored(
  log: Pick<EventLog, 'committed'>,
  pause: (ms: number, signal: AbortSignal) => Promise<void>,
) {
  /** The next observation to store, by partition. */
  const stored = new Map<number, number>()

  return async (changes: readonly Pick<Change, 'partition' | 'offset'>[], signal: AbortSignal): Promise<void> => {
    const wanted = new Map<number, number>()
    for (const { partition, offset } of changes) wanted.set(partition, Math.max(wanted.get(partition) ?? 0, offset))
    const isStored = (): boolean => [...wanted].every(([partition, offset]) => (stored.get(partition) ?? 0) > offset)
    for (let tries = 0; !isStored(); tries++) {
      if (tries > 0) await pause(LOOK_MS, signal)
      signal.throwIfAborted()
      for (const { partition, offset } of await log.committed(OBSERVERS, OBSERVATIONS))
        stored.set(partition, offset ?? 0)
    }
  }
}
