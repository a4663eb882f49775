import type { EventLog } from '../../../connectors/log/port.ts'
import type { UntilStored } from '../../../connectors/operations/changes/port.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { CHANGES } from '../../../schemas/log/topics.ts'

type Log = Pick<EventLog, 'offsets' | 'committed' | 'read'>

type PositionPorts = {
  log: Log
  /** null: no change. */
  decode: (bytes: Buffer) => Change | null
  stored: UntilStored
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
}

const LOOK_MS = 50

/** How far a job is in `entity.changes`, by partition. */
export function changePositions({ log, decode, stored, pause, signal }: PositionPorts) {
  const at: number[] = []

  const isReached = (wanted: readonly number[]): boolean => wanted.every((offset, p) => (at[p] ?? 0) >= offset)

  /** Where the observation behind the last change before this offset stands; null: there is none. */
  async function behind(partition: number, offset: number) {
    for (let from = offset - 1; from >= Math.max(0, offset - 10); from--) {
      const [message] = await log.read(CHANGES, partition, from, from + 1, 1)
      const change = message?.value ? decode(message.value) : null
      if (change !== null) return change
    }
    return null
  }

  return {
    /** Where a group begins that is to read from here on. */
    async start(group: string): Promise<void> {
      const [offsets, committed] = await Promise.all([log.offsets(CHANGES), log.committed(group, CHANGES)])
      const known = new Map(committed.map(({ partition, offset }) => [partition, offset]))
      for (const { partition, low } of offsets)
        at[partition] = Math.max(at[partition] ?? 0, known.get(partition) ?? low)
    },
    now: (): number[] => [...at],
    reach(partition: number, offset: number): void {
      at[partition] = Math.max(at[partition] ?? 0, offset)
    },
    /** Resolves once every change that is on the log now was looked at. */
    async caughtUp(): Promise<void> {
      const ends: number[] = []
      for (const { partition, high } of await log.offsets(CHANGES)) ends[partition] = high
      while (!isReached(ends)) {
        await pause(LOOK_MS, signal)
        signal.throwIfAborted()
      }
    },
    /** Resolves once what the changes before these offsets say is stored. */
    async stored(before: readonly number[]): Promise<void> {
      const last = await Promise.all(before.map((offset, partition) => behind(partition, offset)))
      const changes = last.filter((change) => change !== null)
      if (changes.length > 0) await stored(changes, signal)
    },
  }
}

export type ChangePositions = ReturnType<typeof changePositions>
