import type { CountDrift, Recount } from '../../../connectors/history/port.ts'
import type { EventLog } from '../../../connectors/log/port.ts'

/** Ends and positions of a log that a test moves, one number a partition. */
export function positions(ends: number[], committed: (number | null)[]) {
  const log: Pick<EventLog, 'offsets' | 'committed'> = {
    offsets: async () => ends.map((high, partition) => ({ partition, low: 0, high })),
    committed: async () => committed.map((offset, partition) => ({ partition, offset })),
  }
  return { log, ends, committed }
}

/** A recount that finds `drift`, and what was asked of it. */
export function fakeRecount(drift: CountDrift, onCopy: () => void = () => undefined) {
  const asked: string[] = []
  const recount: Recount = {
    async open() {
      asked.push('open')
      return {
        async copy() {
          asked.push('copy')
          onCopy()
        },
        async drift(signal) {
          signal?.throwIfAborted()
          asked.push('drift')
          return drift
        },
        correct: async () => void asked.push('correct'),
        close: async () => void asked.push('close'),
      }
    },
  }
  return { recount, asked }
}
