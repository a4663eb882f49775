import type { EventLog, LogMessage } from './port.ts'

const STEP = 10_000
const STEP_BYTES = 16 * 1024 * 1024

/**
 * A compacted topic of one partition as a table in memory: every call reads on to the end of the topic as it is then
 * and hands what is new to `apply`, in order. Calls take turns, so each sees what was sent before it.
 */
export function compactedTable(
  log: Pick<EventLog, 'offsets' | 'read'>,
  topic: string,
  apply: (message: LogMessage) => void,
): () => Promise<void> {
  let next = 0
  let last: Promise<void> = Promise.resolve()

  async function readOn(): Promise<void> {
    const [partition] = await log.offsets(topic)
    if (partition === undefined) return
    next = Math.max(next, partition.low)
    while (next < partition.high) {
      const messages = await log.read(topic, 0, next, partition.high, STEP, STEP_BYTES)
      for (const message of messages) apply(message)
      // Nothing below the high watermark: compaction took the rest.
      next = (messages.at(-1)?.offset ?? partition.high - 1) + 1
    }
  }

  return () => {
    last = last.catch(() => undefined).then(readOn)
    return last
  }
}
