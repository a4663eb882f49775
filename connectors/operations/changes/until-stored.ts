import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import type { EventLog } from '../../log/port.ts'
import type { PlacedChange } from './port.ts'

const PAUSES_MS = [10, 20, 50]

export type StoredPorts = {
  log: Pick<EventLog, 'committed'>
  /** The consumer group that stores the entities. */
  group: string
  /** Resolves after so many milliseconds. */
  pause: (ms: number) => Promise<void>
}

/**
 * Waits until what changes say is stored: changes are sent before the rows of their observations are, and the group commits
 * once these are (ADR 116). Waits of several partitions share their look-ups.
 */
export function untilStored({ log, group, pause }: StoredPorts) {
  /** The next observation to store, by partition. */
  let stored = new Map<number, number>()
  let looking: Promise<void> | null = null

  async function look(): Promise<void> {
    const found = await log.committed(group, OBSERVATIONS)
    stored = new Map(found.map(({ partition, offset }) => [partition, offset ?? 0]))
  }

  const lookTogether = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = null
    })
    return looking
  }

  const isStored = (wanted: ReadonlyMap<number, number>): boolean =>
    [...wanted].every(([partition, offset]) => (stored.get(partition) ?? 0) > offset)

  /** Resolves early when the signal is aborted. Rejects when the log cannot be asked. */
  return async (changes: readonly PlacedChange[], signal: AbortSignal): Promise<void> => {
    const wanted = new Map<number, number>()
    for (const { change } of changes)
      wanted.set(change.partition, Math.max(wanted.get(change.partition) ?? 0, change.offset))
    for (let tries = 0; !isStored(wanted) && !signal.aborted; tries++) {
      if (tries > 0) await pause(PAUSES_MS[Math.min(tries, PAUSES_MS.length) - 1]!)
      await lookTogether()
    }
  }
}
