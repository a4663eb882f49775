import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plain } from '../../../../cli/commands/table.ts'
import { relativeTime } from '../../../../cli/commands/values/relative-time.ts'
import { fromKafka } from '../../../../connectors/log/kafka/messages.ts'
import type { EventLog } from '../../../../connectors/log/port.ts'
import { payloadOf } from '../../../../connectors/operations/dead-letters/box.ts'
import { deadLetterEntries } from '../../../../connectors/operations/dead-letters/entries.ts'
import type { Registry } from '../../../../connectors/registry/port.ts'
import { submissionJob } from '../../../../pipelines/jobs/intelligence/submissions.ts'
import { faultOf, placeFault } from '../../../../pipelines/processors/intelligence/validate.ts'
import { deadLetterOf } from '../../../../pipelines/runtime/dead-letter.ts'
import { batchDecoder } from '../../../../pipelines/runtime/decode.ts'
import type { FeedRegistration } from '../../../../schemas/intelligence/observations/feed.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { deadTopic, FEEDS, OBSERVATIONS, SUBMISSIONS } from '../../../../schemas/log/topics.ts'
import { memoryLog } from '../../../builders/log/memory-log.ts'
import { rawRecord, SUBMISSION_ID } from '../../../builders/log/raw-records.ts'
import { longer } from '../../../builders/platform/longer.ts'

const FEED_ID = 8
const OBSERVATION_ID = 9
const types = new Map([
  [SUBMISSION_ID, records.submission],
  [FEED_ID, records.feed],
  [OBSERVATION_ID, records.observation],
])
const registry: Registry = {
  register: async () => 1,
  schema: async (id) => types.get(id),
  known: (id) => types.get(id),
  ping: async () => undefined,
}
const registration: FeedRegistration = { name: 'honest', trust: 0.5, groups: ['public'], registeredAt: 1, owner: null }
const NOW = 1_800_000_000_000

async function world() {
  const log = memoryLog(1)
  const value = encoder<FeedRegistration>(records.feed, FEED_ID)(registration)
  await log.send([{ topic: FEEDS, messages: [{ key: 'honest', value }] }])
  for (const name of [OBSERVATIONS, SUBMISSIONS, deadTopic(SUBMISSIONS)]) await log.offsets(name)
  const ports = {
    log: log as unknown as EventLog,
    registry,
    observationSchemaId: OBSERVATION_ID,
    now: () => NOW,
    isCovered: () => false,
  }
  return { log, job: submissionJob(ports) }
}

const batchOf = (messages: ReturnType<typeof fromKafka>[], note: string) => ({
  topic: SUBMISSIONS,
  partition: 0,
  messages,
  from: 0,
  to: messages.length,
  note,
  redelivered: false,
  highWatermark: messages.length,
  signal: new AbortController().signal,
})

test('whatever a producer puts into a submission, it ends as observations that apply or as a letter with its bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rawRecord, { minLength: 1, maxLength: 8 }), async (raw) => {
      const { log, job } = await world()
      const messages = raw.map((record, i) => fromKafka({ ...record, offset: String(i) } as never))
      const note = await job.intent!({ topic: SUBMISSIONS, partition: 0, from: 0, to: messages.length })
      await job.eachBatch(batchOf(messages, note))

      const letters = log.all(deadTopic(SUBMISSIONS))
      const dead = new Map(letters.map((letter) => [Number(letter.headers['dead-offset']), letter]))
      const observed = await batchDecoder<Observation>(records.observation, registry)(log.all(OBSERVATIONS))
      expect(observed.dead).toEqual([])
      for (const { message, value } of observed.records)
        expect(faultOf(value, NOW) ?? placeFault(value, message.key, 0, 0)).toBeNull()
      const used = new Set(observed.records.map(({ value }) => value.submissionId)).size
      expect(dead.size + used).toBe(messages.length)
      for (const [offset, { key, value, headers }] of dead) {
        expect([key, value].map(hashOf)).toEqual([messages[offset]!.key, messages[offset]!.value].map(hashOf))
        expect(headers['dead-topic']).toBe(SUBMISSIONS)
        expect(headers['dead-reason']).not.toBe('')
      }

      const entries = await deadLetterEntries(log, SUBMISSIONS)()
      expect(entries).toHaveLength(dead.size)
      for (const { key, reason, origin } of entries)
        expect(plain(`${key} ${reason} ${relativeTime(origin.at, Date.now())}`)).not.toMatch(/\p{C}/u)
      for (const letter of letters) {
        const payload = await payloadOf(registry, SUBMISSIONS, letter.value)
        expect(plain(JSON.stringify([letter.headers, payload]))).not.toMatch(/\p{C}/u)
      }
    }),
    { numRuns: longer(100) },
  )
})

test('an observation of any bytes is used or has a fault, and its letter says where it stood', async () => {
  const decode = batchDecoder<Observation>(records.observation, registry)
  await fc.assert(
    fc.asyncProperty(rawRecord, async (raw) => {
      const message = fromKafka({ ...raw, offset: '3' } as never)
      const { records: found, dead } = await decode([message])
      for (const { value } of found) expect(() => faultOf(value, message.timestamp)).not.toThrow()
      for (const one of dead)
        expect(deadLetterOf({ topic: OBSERVATIONS, partition: 4 }, one).headers).toMatchObject({
          'dead-topic': OBSERVATIONS,
          'dead-partition': '4',
          'dead-offset': '3',
        })
    }),
  )
})

const hashOf = (bytes: Buffer | null): string =>
  bytes === null ? 'null' : createHash('sha1').update(bytes).digest('hex')
