import kafkajs, { type ICustomPartitioner, type ProducerBatch, type RecordMetadata, type TopicMessages } from 'kafkajs'
import { expect, test } from 'vitest'
import { type DeliverOptions, delivery } from '../../../../../connectors/log/kafka/deliver.ts'

type End = 'taken' | 'answer lost' | 'refused' | 'unreachable' | 'half answered'
type Request = { producer: number; broker: number; values: string[] }

/** Brokers that lead the partitions of `leaders`, seen through a client that asks the partitioner and sends once. */
function cluster(leaders: number[]) {
  const requests: Request[] = []
  const ends: End[] = []
  const clock = { at: 0 }
  let opened = 0
  let connections = 0
  const open = (createPartitioner: ICustomPartitioner) => {
    const producer = ++opened
    const partitioner = createPartitioner()
    return {
      connect: async () => void connections++,
      disconnect: async () => undefined,
      async sendBatch({ topicMessages = [] }: ProducerBatch): Promise<RecordMetadata[]> {
        const end = ends.shift() ?? 'taken'
        if (end === 'unreachable') throw new Error('connection refused')
        const partitionMetadata = leaders.map((leader, partitionId) => ({
          partitionId,
          leader,
          partitionErrorCode: 0,
          replicas: [],
          isr: [],
        }))
        const perBroker = new Map<number, string[]>()
        const partitions = new Set<number>()
        for (const { topic, messages } of topicMessages)
          for (const message of messages) {
            const partition = partitioner({ topic, partitionMetadata, message })
            partitions.add(partition)
            const broker = leaders[partition]!
            perBroker.set(broker, [...(perBroker.get(broker) ?? []), String(message.value)])
          }
        for (const [broker, values] of perBroker) requests.push({ producer, broker, values })
        if (end === 'refused') throw Object.assign(new Error('record too large'), { retriable: false })
        if (end === 'answer lost') throw Object.assign(new Error('connection closed'), { retriable: true })
        const answers = [...partitions].map((partition) => ({ topicName: 't', partition, errorCode: 0 }))
        return end === 'half answered' ? answers.slice(1) : answers
      },
    }
  }
  const { deliver, close } = delivery({
    open,
    retryMs: 1_000,
    now: () => clock.at,
    recordsPerId: 5,
    pause: async (ms) => {
      clock.at += ms
    },
  })
  return { requests, ends, clock, deliver, close, leaders, connections: () => connections, opened: () => opened }
}

const records = (...partitions: number[]): TopicMessages[] => [
  { topic: 't', messages: partitions.map((partition, i) => ({ partition, value: `${partition}.${i}` })) },
]

test('a request whose answer is lost is repeated as it was, under the same producer id, on a new connection', async () => {
  const { deliver, requests, ends, connections } = cluster([1, 1])
  ends.push('answer lost', 'answer lost')
  await deliver(records(0, 1, 0))
  const request = { producer: 1, broker: 1, values: ['0.0', '1.1', '0.2'] }
  expect(requests).toEqual([request, request, request])
  expect(connections()).toBe(3)
})

test('what was refused for good is told at once, and the next send has another producer id', async () => {
  const { deliver, requests, ends } = cluster([1])
  ends.push('refused')
  await expect(deliver(records(0))).rejects.toThrow('record too large')
  await deliver(records(0))
  expect(requests.map(({ producer }) => producer)).toEqual([1, 2])
})

test('an answer that does not name every partition is no success', async () => {
  const { deliver, ends, opened } = cluster([1, 1])
  ends.push('half answered')
  await expect(deliver(records(0, 1))).rejects.toThrow('answered for only 1 of 2 partitions')
  await deliver(records(0, 1))
  expect(opened()).toBe(2)
})

test('a log that is away is tried for as long as patience lasts, then once a send, until it is back', async () => {
  const { deliver, requests, ends, clock, connections } = cluster([1])
  ends.push(...Array<End>(20).fill('unreachable'))
  await expect(deliver(records(0))).rejects.toThrow('connection refused')
  expect(clock.at).toBeGreaterThanOrEqual(1_000)
  expect(clock.at).toBeLessThan(1_600)
  const before = connections()
  await expect(deliver(records(0))).rejects.toThrow('connection refused')
  expect(connections()).toBe(before + 1)
  ends.length = 0
  await deliver(records(0))
  expect(requests.length).toBe(1)
  ends.push('unreachable')
  await deliver(records(0))
  expect(requests.length).toBe(2)
})

test('partitions that several brokers lead go out in a request for each, and only the failed one is repeated', async () => {
  const { deliver, requests, ends } = cluster([1, 2, 1])
  await deliver(records(0, 1, 2))
  expect(requests.map(({ broker, values }) => [broker, ...values])).toEqual([
    [1, '0.0', '2.2'],
    [2, '1.1'],
  ])
  requests.length = 0
  ends.push('taken', 'answer lost')
  await deliver(records(0, 1, 2))
  expect(requests.map(({ broker }) => broker)).toEqual([1, 2, 2])
})

test('a leader that moves between two attempts never has a request cut in two', async () => {
  const { deliver, requests, ends, leaders } = cluster([1, 1])
  ends.push('answer lost')
  const sent = deliver(records(0, 1))
  leaders[1] = 2
  await sent
  expect(requests).toEqual([
    { producer: 1, broker: 1, values: ['0.0'] },
    { producer: 1, broker: 2, values: ['1.1'] },
  ])
})

test('a partition that the client does not know fails instead of being left out', async () => {
  const { deliver, requests } = cluster([1])
  await expect(deliver(records(0, 3))).rejects.toThrow('topic t has no partition 3')
  expect(requests).toEqual([{ producer: 1, broker: 1, values: ['0.0'] }])
})

test('a producer id is given up long before its numbers end', async () => {
  const { deliver, requests } = cluster([1])
  for (let i = 0; i < 4; i++) await deliver(records(0, 0, 0))
  expect(requests.map(({ producer }) => producer)).toEqual([1, 1, 2, 2])
})

test('a closed log repeats nothing and takes nothing', async () => {
  const { deliver, close, requests, ends } = cluster([1])
  ends.push('answer lost')
  const sent = deliver(records(0))
  const closed = close()
  await expect(sent).rejects.toThrow('connection closed')
  await closed
  await expect(deliver(records(0))).rejects.toThrow('the log is closed')
  expect(requests.length).toBe(1)
})

test('a record that is large by its key or its headers goes compressed, as by its value', async () => {
  const { ZSTD } = kafkajs.CompressionTypes
  const sent: unknown[] = []
  const open: DeliverOptions['open'] = () => ({
    connect: async () => undefined,
    disconnect: async () => undefined,
    async sendBatch({ compression }) {
      sent.push(compression)
      return [{ topicName: 't', partition: 0, errorCode: 0 }]
    },
  })
  const { deliver } = delivery({ open, retryMs: 1_000 })
  const large = Buffer.alloc(1024 * 1024)
  const few = { partition: 0, value: 'x' }
  for (const message of [few, { ...few, value: large }, { ...few, key: large }, { ...few, headers: { h: large } }])
    await deliver([{ topic: 't', messages: [message] }])
  expect(sent).toEqual([undefined, ZSTD, ZSTD, ZSTD])
})
