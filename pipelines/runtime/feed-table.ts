import type { EventLog } from '../../connectors/log/port.ts'
import type { Registry } from '../../connectors/registry/port.ts'
import type { FeedRegistration } from '../../schemas/feed.ts'
import { records } from '../../schemas/records.ts'
import { FEEDS } from '../../schemas/topics.ts'
import { batchDecoder } from './decode.ts'

const STEP = 10_000

/** The registered feeds as the compacted topic tells them; `refresh` reads on to its end. */
export function feedTable(log: EventLog, registry: Registry) {
  const feeds = new Map<string, FeedRegistration>()
  const decode = batchDecoder<FeedRegistration>(records.feed, registry)
  let next = 0

  return {
    async refresh(): Promise<void> {
      const [partition] = await log.offsets(FEEDS)
      if (partition === undefined) return
      next = Math.max(next, partition.low)
      while (next < partition.high) {
        const messages = await log.read(FEEDS, 0, next, partition.high, STEP)
        const last = messages.at(-1)
        if (last === undefined) break
        for (const { key, value } of messages) if (value === null && key !== null) feeds.delete(key.toString())
        const { records: registered } = await decode(messages.filter((m) => m.value !== null))
        for (const { value } of registered) feeds.set(value.name, value)
        next = last.offset + 1
      }
    },
    get: (name: string): FeedRegistration | undefined => feeds.get(name),
  }
}

export type FeedTable = ReturnType<typeof feedTable>
