/** A log of a server for histories that play one after another: topics of their own, and what stands on them at hand. */

import { randomUUID } from 'node:crypto'
import type { EventLog, LogMessage } from '../../../connectors/log/port.ts'
import { ACCOUNT_LIFECYCLE, deadTopic } from '../../../schemas/log/topics.ts'
import type { MemoryLog } from '../log/memory-log.ts'

const PORTION = 1000

/**
 * What is sent goes to the server, and what handlers are given was read from there. `named`: a topic as it is called
 * there.
 */
export async function servedLog(log: EventLog): Promise<Pick<MemoryLog, 'send' | 'all'> & { named: typeof named }> {
  const suffix = randomUUID().slice(0, 8)
  const named = (topic: string): string => `${topic}.${suffix}`
  const topics = [ACCOUNT_LIFECYCLE, deadTopic(ACCOUNT_LIFECYCLE)]
  await log.createTopics(
    topics.map((topic) => ({ name: named(topic), partitions: 1, cleanup: 'delete', retentionMs: null })),
  )
  const there = new Map<string, LogMessage[]>(topics.map((topic) => [topic, []]))

  async function fetched(topic: string): Promise<void> {
    const known = there.get(topic)!
    const high = (await log.offsets(named(topic)))[0]!.high
    while (known.length < high) known.push(...(await log.read(named(topic), 0, known.length, high, PORTION)))
  }

  return {
    named,
    async send(batches) {
      const renamed = batches.map(({ topic, messages }) => ({ topic: named(topic), messages }))
      await log.send(renamed.filter(({ messages }) => messages.length > 0))
      for (const { topic } of batches) await fetched(topic)
    },
    all: (topic) => there.get(topic)!,
  }
}
