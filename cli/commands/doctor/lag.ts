import type { ConsumerLag } from '../../../connectors/operations/lag/port.ts'
import { type Check, ok, warn } from './finding.ts'

/** A consumer with an unread record older than this is late. */
const LATE_MS = 5 * 60_000

/** Reports consumer groups with a high lag. */
export const lagCheck = (consumerLag: Pick<ConsumerLag, 'lag'>, now: () => number): Check => ({
  name: 'lag',
  todo: 'docs/runbooks/lag.md',
  async run() {
    const behind = new Map<string, { lag: number; since: number }>()
    for (const { group, topic, lag, oldestUnread } of await consumerLag.lag()) {
      if (oldestUnread === null) continue
      const name = `${group} on ${topic}`
      const known = behind.get(name)
      behind.set(name, { lag: lag + (known?.lag ?? 0), since: Math.min(oldestUnread, known?.since ?? oldestUnread) })
    }
    const late = [...behind].filter(([, { since }]) => now() - since > LATE_MS)
    if (late.length === 0) return [ok('no consumer group has a high lag')]
    return late.map(([name, { lag, since }]) =>
      warn(
        `consumer lag of ${name}: ${lag} records for ${Math.round((now() - since) / 1000)} s`,
        'check that the consumer is running: docs/runbooks/lag.md',
      ),
    )
  },
})
