import { afterAll, describe, expect, test } from 'vitest'
import { kafkaLog } from '../../../../connectors/log/kafka/log.ts'
import { proxyOf } from '../kafka-proxy.ts'
import { numbered, OPTIONS, stopped, topicOn, unique, until } from '../suite.ts'

const LONG_MS = 60_000
const TIMES = { sessionMs: 6_000, heartbeatMs: 300 }

/** What holds for members of groups when the broker goes away for a while. `broker` is on this machine. */
export function kafkaMembersContract(broker: string): void {
  describe('kafka: members of a group', { timeout: 240_000 }, () => {
    const opened = kafkaLog({ brokers: [broker] })
    afterAll(async () => (await opened).close())

    test('a broker that is gone for a moment while a batch runs stops nothing for good', async () => {
      const direct = await opened
      const [topic, group] = [await topicOn(direct, { partitions: 2 }), unique('group')]
      const proxy = await proxyOf(broker, () => false)
      // Longer than anything here takes: only the member itself can find that it has to begin anew.
      const log = await kafkaLog({ brokers: [proxy.brokers], sessionMs: 120_000, heartbeatMs: 300 })
      const seen = new Set<string>()
      let running: Promise<unknown> = Promise.resolve()
      const gone = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const consumer = await log.consume({ ...OPTIONS, group, topics: [topic] }, async (batch) => {
        begun.resolve()
        running = new Promise((resolve) => batch.signal.addEventListener('abort', resolve))
        await gone.promise
        for (const { offset } of batch.messages) seen.add(`${batch.partition}/${offset}`)
      })
      const ended: unknown[] = []
      consumer.closed.catch((error: unknown) => ended.push(error))
      await direct.send([{ topic, messages: numbered(40) }])
      await begun.promise
      proxy.away()
      await running
      proxy.back()
      gone.resolve()
      await direct.send([{ topic, messages: numbered(40) }])
      await until('all is handed out', () => seen.size === 80 || ended.length > 0, LONG_MS)
      const behind = async () => {
        const ends = await direct.offsets(topic)
        const at = await direct.committed(group, topic)
        return ends.reduce((sum, { partition, high }) => sum + high - (at[partition]?.offset ?? 0), 0)
      }
      await until('all is committed', async () => (await behind()) === 0 || ended.length > 0, LONG_MS)
      expect(ended).toEqual([])
      await stopped(consumer)
      await log.close()
      await proxy.close()
    })

    test('a leader whose broker does not answer steps down, and leads again once it does', async () => {
      const direct = await opened
      const [topic, group] = [await topicOn(direct), unique('led')]
      const proxy = await proxyOf(broker, () => false)
      const lost: string[] = []
      const log = await kafkaLog({ brokers: [proxy.brokers], ...TIMES, onLost: ({ reason }) => lost.push(reason) })
      const told: boolean[] = []
      let seen = 0
      const leader = { changed: async (leads: boolean) => void told.push(leads) }
      const consumer = await log.consume({ ...OPTIONS, group, topics: [topic], leader }, async ({ messages }) => {
        seen += messages.length
      })
      const ended: unknown[] = []
      consumer.closed.catch((error: unknown) => ended.push(error))
      await until('it leads', () => told.at(-1) === true)
      proxy.away()
      await until('it has stepped down', () => told.at(-1) === false || ended.length > 0, LONG_MS)
      await direct.send([{ topic, messages: numbered(20) }])
      proxy.back()
      await until('it reads as the leader', () => seen >= 20 || ended.length > 0, LONG_MS)
      expect(ended).toEqual([])
      expect(told).toEqual([true, false, true])
      expect(lost.length).toBeGreaterThan(0)
      await stopped(consumer)
      await log.close()
      await proxy.close()
    })

    test('a member whose broker is away ends when it is stopped', async () => {
      const direct = await opened
      const topic = await topicOn(direct)
      const proxy = await proxyOf(broker, () => false)
      const log = await kafkaLog({ brokers: [proxy.brokers], ...TIMES })
      const options = { ...OPTIONS, group: unique('group'), topics: [topic] }
      const consumer = await log.consume(options, async () => undefined)
      proxy.away()
      const tried = proxy.refused
      await until('it tries to come back', () => proxy.refused > tried, LONG_MS)
      const began = performance.now()
      await stopped(consumer)
      expect(performance.now() - began).toBeLessThan(10_000)
      await log.close()
      await proxy.close()
    })
  })
}
