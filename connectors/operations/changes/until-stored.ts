import { OBSERVATIONS, OBSERVERS } from '../../../schemas/log/topics.ts'
import type { EventLog } from '../../log/port.ts'
import type { Behind, UntilStored } from './port.ts'

const PAUSES_MS = [10, 20, 50]

export type StoredPorts = {
  log: Pick<EventLog, 'committed'>
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * Waits until the group that stores the entities has committed these observations: it commits once their rows are stored
 * (ADR 271). Waits that are under way together share their look-ups.
 */
export function untilStored({ log, pause }: StoredPorts): UntilStored {
  /** The next observation to store, by partition. */
  let stored = new Map<number, number>()
  let looking: Promise<void> | null = null

  async function look(): Promise<void> {
    const found = await log.committed(OBSERVERS, OBSERVATIONS)
    stored = new Map(found.map(({ partition, offset }) => [partition, offset ?? 0]))
  }

  const lookTogether = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = null
    })
    return looking
  }

  const isStored = ({ partition, offset }: Behind): boolean => (stored.get(partition) ?? 0) > offset

  return async (observations, signal) => {
    for (let tries = 0; !observations.every(isStored); tries++) {
      signal.throwIfAborted()
      if (tries > 0) await pause(PAUSES_MS[Math.min(tries, PAUSES_MS.length) - 1]!, signal)
      signal.throwIfAborted()
      await lookTogether()
    }
  }
}
