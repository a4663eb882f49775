import { expect, test } from 'vitest'
import type { LogMessage, OutgoingMessage } from '../../../../../connectors/log/port.ts'
import { observationJob } from '../../../../../pipelines/jobs/intelligence/observations.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../../../schemas/log/codec.ts'
import { records } from '../../../../../schemas/log/records.ts'
import { deadTopic, OBSERVATIONS } from '../../../../../schemas/log/topics.ts'
import { fixedStore, memoryObservationStore } from '../../../../builders/history/observation-store.ts'
import { NOW, observation } from '../../../../builders/intelligence/observation.ts'
import { defaultRules } from '../../../../builders/platform/data-folder.ts'

const encode = encoder<Observation>(records.observation, 1)

/** What the job makes of records that no rule lets pass: their tags are in no order. */
async function applied(given: Partial<LogMessage>, change = (bytes: Buffer) => bytes) {
  const one = observation({ tags: ['b', 'a'], observedAt: NOW })
  const sent: (OutgoingMessage & { topic: string })[] = []
  const store = memoryObservationStore()
  const registry = { known: () => records.observation, schema: async () => records.observation } as never
  const log = {
    offsets: async () => [{ partition: 0, low: 0, high: 1 }],
    async send(batches: readonly { topic: string; messages: readonly OutgoingMessage[] }[]) {
      for (const { topic, messages } of batches) for (const message of messages) sent.push({ ...message, topic })
    },
  } as never
  const job = observationJob(
    { log, registry, changeSchemaId: 2, live: fixedStore(store), partitionOf: () => 0 },
    defaultRules(),
    { now: () => NOW, report: () => undefined },
  )
  const value = change(encode(one))
  const message = { offset: 0, timestamp: NOW, key: Buffer.from(one.entityId), value, headers: {}, ...given }
  const { signal } = new AbortController()
  const range = { from: 0, to: 1, note: 'n', redelivered: false, highWatermark: 1, signal }
  await job.eachBatch({ topic: OBSERVATIONS, partition: 0, messages: [message], ...range })
  return { stored: store.stored(), dead: sent.filter(({ topic }) => topic === deadTopic(OBSERVATIONS)).length }
}

test('a record is judged unless this program has checked it', async () => {
  expect((await applied({})).dead).toBe(1)
  expect((await applied({ checked: false })).dead).toBe(1)
  const { stored, dead } = await applied({ checked: true })
  expect(dead).toBe(0)
  expect(stored.history).toHaveLength(1)
})

test('a checked record that cannot be decoded is a dead letter all the same', async () => {
  expect((await applied({ checked: true }, (bytes) => bytes.subarray(0, 40))).dead).toBe(1)
})
