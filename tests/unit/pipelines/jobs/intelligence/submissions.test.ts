import { expect, test } from 'vitest'
import type { EventLog } from '../../../../../connectors/log/port.ts'
import { submissionJob } from '../../../../../pipelines/jobs/intelligence/submissions.ts'
import { batchDecoder } from '../../../../../pipelines/runtime/decode.ts'
import type { BrokerSubmission, FeedRegistration } from '../../../../../schemas/intelligence/observations/feed.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../../../schemas/log/codec.ts'
import { records } from '../../../../../schemas/log/records.ts'
import { deadTopic, FEEDS, OBSERVATIONS, SUBMISSIONS } from '../../../../../schemas/log/topics.ts'
import { memoryLog } from '../../../../builders/log/memory-log.ts'

const IDS = { submission: 7, feed: 8, observation: 9 } as const
const types = new Map<number, unknown>(Object.entries(IDS).map(([name, id]) => [id, records[name as keyof typeof IDS]]))
const registry = { schema: async (id: number) => types.get(id), known: (id: number) => types.get(id) } as never

test('what lies under a known mark says so from its record on', async () => {
  const log = memoryLog(1)
  const feed = { name: 'honest', trust: 0.5, groups: ['public'], registeredAt: 1, owner: null }
  await log.send([
    { topic: FEEDS, messages: [{ key: feed.name, value: encoder<FeedRegistration>(records.feed, IDS.feed)(feed) }] },
  ])
  for (const name of [OBSERVATIONS, SUBMISSIONS, deadTopic(SUBMISSIONS)]) await log.offsets(name)
  const job = submissionJob({
    log: log as unknown as EventLog,
    registry,
    observationSchemaId: IDS.observation,
    now: () => 1_800_000_000_000,
    isCovered: ({ value }) => value === '198.51.100.7',
  })
  const encode = encoder<BrokerSubmission>(records.submission, IDS.submission)
  const messages = ['198.51.100.7', '203.0.113.1'].map((ip, offset) => {
    const value = encode({
      feed: feed.name,
      type: 'ip',
      attributes: { ip },
      reputation: -3,
      tags: [],
      correlate: [],
      associations: [],
      visibleBy: null,
      observedAt: null,
    })
    return { offset, timestamp: 1_800_000_000_000, key: null, value, headers: {} }
  })
  const range = { topic: SUBMISSIONS, partition: 0, from: 0, to: messages.length }
  const note = await job.intent!(range)
  const { signal } = new AbortController()
  await job.eachBatch({ ...range, messages, note, redelivered: false, highWatermark: messages.length, signal })
  const { records: made } = await batchDecoder<Observation>(records.observation, registry)(log.all(OBSERVATIONS))
  expect(made.map(({ value: { value, covered } }) => [value, covered])).toEqual([
    ['198.51.100.7', true],
    ['203.0.113.1', false],
  ])
})
