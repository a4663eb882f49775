import type { Admin } from 'kafkajs'
import { expect, test, vi } from 'vitest'
import { createTopics } from '../../../../../connectors/log/kafka/kafka-topics.ts'

const retriable = (message: string): Error => Object.assign(new Error(message), { retriable: true })

/** A broker that makes topics, and knows them and their leaders some questions later. */
function broker(answers: (Error | number)[], listings: string[][]) {
  let listed = 0
  let asked = 0
  const made = vi.fn(async (_: Parameters<Admin['createTopics']>[0]) => true)
  const admin = {
    listTopics: async () => listings[Math.min(listed++, listings.length - 1)]!,
    createTopics: made,
    fetchTopicMetadata: async () => {
      const answer = answers[Math.min(asked++, answers.length - 1)]!
      if (answer instanceof Error) throw answer
      return { topics: [{ name: 't', partitions: Array.from({ length: answer }) }] }
    },
  }
  return { admin: admin as unknown as Admin, made, asked: () => asked }
}
const spec = { name: 't', partitions: 2, cleanup: 'delete', retentionMs: null } as const

test('a topic that was just made is waited for until its broker knows it and every partition has a leader', async () => {
  const answers = [retriable('does not host this topic-partition'), retriable('leader not available'), 2]
  const { admin, made, asked } = broker(answers, [[], [], ['t']])
  await createTopics(admin, [spec], 'zstd')
  expect(made.mock.calls[0]![0]).toMatchObject({ waitForLeaders: false, topics: [{ topic: 't', numPartitions: 2 }] })
  expect(asked()).toBe(3)
})

test('a topic that is there is left as it is, and refused with what to do when it has too few partitions', async () => {
  const there = broker([3], [['t']])
  await createTopics(there.admin, [spec], 'zstd')
  expect(there.made).not.toHaveBeenCalled()
  await expect(createTopics(broker([1], [['t']]).admin, [spec], 'zstd')).rejects.toThrow(
    'kafka-topics --alter --topic t --partitions 2',
  )
})
