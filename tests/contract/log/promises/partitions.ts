import { randomUUID } from 'node:crypto'
import kafkajs from 'kafkajs'
import { afterAll, describe, expect, test } from 'vitest'
import { kafkaLog } from '../../../../connectors/log/kafka/log.ts'
import { partitionOf } from '../../../../connectors/log/partitioner.ts'
import type { Batch, LogMessage } from '../../../../connectors/log/port.ts'
import { until } from '../suite.ts'

const KEYS = Array.from({ length: 40 }, (_, i) => `key-${i}`)

/** What holds when somebody adds partitions to a topic, with records in it, readers and writers on it. */
export function partitionsContract(broker: string): void {
  describe('partitions that are added to a topic', { timeout: 120_000 }, () => {
    const open = () => kafkaLog({ brokers: [broker], sessionMs: 6_000, heartbeatMs: 300, metadataMs: 1_000 })
    const opened = [open()]
    const foreign = new kafkajs.Kafka({ brokers: [broker], logLevel: kafkajs.logLevel.NOTHING })
    const admin = foreign.admin()
    afterAll(async () => {
      for (const log of opened) await (await log).close()
      await admin.disconnect()
    })

    test('are read at once and at every start, and no key moves to them', async () => {
      const log = await opened[0]!
      const topic = `grown-${randomUUID().slice(0, 8)}`
      const spec = { name: topic, partitions: 2, cleanup: 'delete', retentionMs: null } as const
      await log.createTopics([spec])
      const round = (n: number) => KEYS.map((key) => ({ key, value: Buffer.from(String(n)) }))
      await log.send([{ topic, messages: round(0) }])

      // A batch whose partition moves before its position is committed is handed out again: a record is read once or more.
      const read = new Map<string, { partition: number; message: LogMessage }>()
      const handle = async ({ partition, messages }: Batch) => {
        for (const message of messages) read.set(`${partition}:${message.offset}`, { partition, message })
      }
      const options = { group: `g-${topic}`, topics: [topic], maxRecords: 100, maxBytes: 1024 * 1024, lingerMs: 0 }
      const first = await log.consume(options, handle)
      await until('the first round is read', () => read.size === KEYS.length)

      await admin.connect()
      await admin.createPartitions({ topicPartitions: [{ topic, count: 5 }] })
      // That producer leaves out, without a word, what is for a partition that the broker does not tell it of yet.
      await until('the broker tells of the added partitions', async () => {
        const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
        return topics[0]!.partitions.length === 5 && topics[0]!.partitions.every(({ leader }) => leader >= 0)
      })
      const writer = foreign.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner })
      await writer.connect()
      const written = await writer.send({ topic, messages: [{ partition: 4, value: 'of another client' }] })
      expect(written).toMatchObject([{ partition: 4, errorCode: 0, baseOffset: '0' }])
      await writer.disconnect()
      await log.send([{ topic, messages: round(1) }])
      await until(
        'what lies in an added partition is read without a start',
        () => read.size === 2 * KEYS.length + 1,
        60_000,
      )
      await first.stop()

      opened.push(open())
      const later = await opened[1]!
      await later.createTopics([spec])
      await later.send([{ topic, messages: round(2) }])
      const second = await later.consume(options, handle)
      await until('a later start reads on', () => read.size === 3 * KEYS.length + 1, 60_000)
      await second.stop()
      expect((await later.offsets(topic)).map(({ partition }) => partition)).toEqual([0, 1, 2, 3, 4])
      expect((await later.read(topic, 4, 0, 1, 1))[0]!.value!.toString()).toBe('of another client')

      for (const key of KEYS) {
        const own = [...read.values()].filter(({ message }) => message.key?.toString() === key)
        expect(own.map(({ message }) => message.value!.toString())).toEqual(['0', '1', '2'])
        expect(new Set(own.map(({ partition }) => partition))).toEqual(new Set([partitionOf(Buffer.from(key), 2)]))
      }
    })

    test('that are missing are named, with the command that adds them', async () => {
      const log = await opened[0]!
      const topic = `small-${randomUUID().slice(0, 8)}`
      const spec = { name: topic, cleanup: 'delete', retentionMs: null } as const
      await log.createTopics([{ ...spec, partitions: 2 }])
      const want = log.createTopics([{ ...spec, partitions: 3 }])
      await expect(want).rejects.toThrow(`kafka-topics --alter --topic ${topic} --partitions 3`)
    })
  })
}
