import type { EventLog } from '../../../connectors/log/port.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { CHANGES, OBSERVATIONS } from '../../../schemas/log/topics.ts'

type Log = Pick<EventLog, 'offsets' | 'committed' | 'read'>

export type PositionPorts = {
  log: Log
  /** null: no change. */
  decode: (bytes: Buffer) => Change | null
  /** The group that stores the entities. */
  observers: string
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
}

const LOOK_MS = 50

/** How far the job is in the changes, by partition. */
export function positions({ log, decode, observers, pause, signal }: PositionPorts) {
  const at: number[] = []

  const isReached = (wanted: readonly number[]): boolean => wanted.every((offset, p) => (at[p] ?? 0) >= offset)

  async function until(done: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await done())) {
      await pause(LOOK_MS, signal)
      signal.throwIfAborted()
    }
  }

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
      await until(() => isReached(ends))
    },
    /**
     * Resolves once what these changes say is stored: changes are sent before the rows of their range are (ADR 116), and
     * all of a range at once.
     */
    async stored(before: readonly number[]): Promise<void> {
      const wanted = new Map<number, number>()
      for (const [partition, offset] of before.entries()) {
        const change = await behind(partition, offset)
        if (change !== null)
          wanted.set(change.partition, Math.max(wanted.get(change.partition) ?? 0, change.offset + 1))
      }
      await until(async () => {
        const committed = await log.committed(observers, OBSERVATIONS)
        return committed.every(({ partition, offset }) => (offset ?? 0) >= (wanted.get(partition) ?? 0))
      })
    },
  }
}

export type Positions = ReturnType<typeof positions>
