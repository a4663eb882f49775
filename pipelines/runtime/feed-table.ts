import type { EventLog, LogMessage } from '../../connectors/log/port.ts'
import { type FeedRegistration, feedFault } from '../../schemas/intelligence/observations/feed.ts'
import { records } from '../../schemas/log/records.ts'
import { FEEDS } from '../../schemas/log/topics.ts'
import { batchDecoder, type Schemas } from './decode.ts'

const STEP = 10_000

/** The registered feeds according to the compacted topic; `refresh` reads on to its end. */
export function feedTable(log: EventLog, registry: Schemas) {
  const feeds = new Map<string, FeedRegistration>()
  const decode = batchDecoder<FeedRegistration>(records.feed, registry)
  let next = 0

  /** In log order: what was taken back may be registered again. What cannot be used leaves no registration behind. */
  function apply({ key }: LogMessage, registration: FeedRegistration | undefined): void {
    const name = key?.toString()
    if (name === undefined) return
    if (registration === undefined || registration.name !== name || feedFault(registration) !== null) feeds.delete(name)
    else feeds.set(name, registration)
  }

  return {
    async refresh(): Promise<void> {
      const [partition] = await log.offsets(FEEDS)
      if (partition === undefined) return
      next = Math.max(next, partition.low)
      while (next < partition.high) {
        const messages = await log.read(FEEDS, 0, next, partition.high, STEP)
        const last = messages.at(-1)
        if (last === undefined) break
        const { records: registered } = await decode(messages.filter((m) => m.value !== null))
        const registrations = new Map(registered.map(({ message, value }) => [message.offset, value]))
        for (const message of messages) apply(message, registrations.get(message.offset))
        next = last.offset + 1
      }
    },
    get: (name: string): FeedRegistration | undefined => feeds.get(name),
    /** All of them, by name. */
    all: (): FeedRegistration[] => [...feeds.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}
