import kafkajs from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kafkaLog } from '../../../../connectors/log/kafka/log.ts'
import { proxyOf } from '../kafka-proxy.ts'
import { numbered, stopped, text, topicOn, until } from '../suite.ts'
import { heard, type TailContract } from './tails.ts'

const LONG_MS = 60_000

const foreignClient = (broker: string) => new kafkajs.Kafka({ brokers: [broker], logLevel: kafkajs.logLevel.NOTHING })

/** A log of which an operator takes the records. */
export async function ageingKafka(broker: string): ReturnType<TailContract['ageing']> {
  const log = await kafkaLog({ brokers: [broker] })
  const admin = foreignClient(broker).admin()
  await admin.connect()
  return {
    log,
    async dropAll(topic) {
      const partitions = await admin.fetchTopicOffsets(topic)
      // A partition without records has none to take; the client takes that for a failure.
      const full = partitions.filter(({ low, high }) => low !== high)
      await admin.deleteTopicRecords({
        topic,
        partitions: full.map(({ partition, high }) => ({ partition, offset: high })),
      })
    },
    async close() {
      await Promise.all([log.close(), admin.disconnect()])
    },
  }
}

/** What holds when brokers go away or somebody changes the topic. `broker` is on this machine. */
export function kafkaTailsContract(broker: string): void {
  describe('kafka: tails', { timeout: 240_000 }, () => {
    const opened = kafkaLog({ brokers: [broker], metadataMs: 1_000 })
    const foreign = foreignClient(broker)
    const admin = foreign.admin()
    beforeAll(() => admin.connect())
    afterAll(async () => {
      await Promise.all([(await opened).close(), admin.disconnect()])
    })

    test('a broker that goes away and comes back is followed on, and nothing is lost or told twice', async () => {
      const direct = await opened
      const topic = await topicOn(direct, { partitions: 3 })
      const proxy = await proxyOf(broker, () => false)
      const log = await kafkaLog({ brokers: [proxy.brokers] })
      const { tail, batches, count } = await heard(log, { topic, maxRecords: 7 })
      const ended: unknown[] = []
      tail.closed.catch((error: unknown) => ended.push(error))
      let sent = 0
      const send = async (): Promise<void> => {
        await direct.send([{ topic, messages: numbered(20) }])
        sent += 20
      }
      for (let round = 0; round < 8; round++) {
        await send()
        // Sometimes in the middle of what is read, sometimes while it waits.
        if (round % 2 === 0) await until('it has read on', () => count() === sent, LONG_MS)
        proxy.away()
        await send()
        const tried = proxy.refused
        await until('it tries to come back', () => proxy.refused > tried + (round % 4), LONG_MS)
        proxy.back()
      }
      await until('all is handed over', () => count() >= sent || ended.length > 0, LONG_MS)
      expect(ended).toEqual([])
      for (const { partition, high } of await direct.offsets(topic)) {
        const read = await direct.read(topic, partition, 0, high, high)
        const own = batches.filter((batch) => batch.partition === partition).flatMap(({ messages }) => messages)
        expect(own).toEqual(read)
      }
      await stopped(tail)
      await log.close()
      await proxy.close()
    })

    test('a tail of a log that is away ends when it is stopped', async () => {
      const direct = await opened
      const topic = await topicOn(direct)
      const proxy = await proxyOf(broker, () => false)
      const log = await kafkaLog({ brokers: [proxy.brokers] })
      const { tail } = await heard(log, { topic })
      proxy.away()
      await stopped(tail)
      proxy.back()
      await log.close()
      await proxy.close()
    })

    test('a partition that is added is followed from its beginning', async () => {
      const log = await opened
      const topic = await topicOn(log, { partitions: 2 })
      await log.send([{ topic, messages: numbered(10) }])
      const { tail, seen } = await heard(log, { topic })
      await admin.createPartitions({ topicPartitions: [{ topic, count: 4 }] })
      await until('the broker tells of the added partitions', async () => {
        const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
        return topics[0]!.partitions.length === 4 && topics[0]!.partitions.every(({ leader }) => leader >= 0)
      })
      await log.send([
        { topic, messages: [0, 2, 3].map((partition) => ({ key: null, value: Buffer.from('x'), partition })) },
      ])
      await until('all three', () => [0, 2, 3].every((partition) => seen(partition).length === 1), LONG_MS)
      expect([seen(2), seen(3)]).toEqual([[0], [0]])
      await stopped(tail)
    })

    test('records of a transaction come once it is committed, those of an aborted one never', async () => {
      const log = await opened
      const topic = await topicOn(log, { partitions: 1 })
      const { tail, batches, count } = await heard(log, { topic })
      const producer = foreign.producer({ idempotent: true, maxInFlightRequests: 1, transactionalId: `of-${topic}` })
      await producer.connect()
      const transaction = async (value: string, end: 'commit' | 'abort'): Promise<void> => {
        const open = await producer.transaction()
        await open.send({ topic, messages: [{ value }, { value }] })
        await open[end]()
      }
      await transaction('never', 'abort')
      await transaction('kept', 'commit')
      await transaction('never', 'abort')
      await log.send([{ topic, messages: [{ key: null, value: Buffer.from('after') }] }])
      await until('what counts', () => count() === 3, LONG_MS)
      const messages = batches.flatMap((batch) => batch.messages)
      expect(messages.map(({ value }) => text(value))).toEqual(['kept', 'kept', 'after'])
      expect(batches.at(-1)!.to).toBe((await log.offsets(topic))[0]!.high)
      await producer.disconnect()
      await stopped(tail)
    })
  })
}
