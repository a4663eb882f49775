import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventLog } from '../../connectors/log/port.ts'
import { submissionJob } from '../../pipelines/jobs/intelligence/submissions.ts'
import type { BrokerSubmission, FeedRegistration } from '../../schemas/intelligence/observations/feed.ts'
import { encoder } from '../../schemas/log/codec.ts'
import { records } from '../../schemas/log/records.ts'
import { deadTopic, FEEDS, OBSERVATIONS, SUBMISSIONS } from '../../schemas/log/topics.ts'
import { memoryLog } from '../builders/log/memory-log.ts'
import { Died } from '../builders/platform/fault.ts'

/**
 * The submission job dies before, in the middle of and after each of its sends, and is handed the same range again:
 * every observation of every submission is in the log once.
 */
const RANGE = 3
const encode = encoder<BrokerSubmission>(records.submission, 2)
const encodeFeed = encoder<FeedRegistration>(records.feed, 3)
const registry = {
  schema: async (id: number) => [undefined, records.observation, records.submission, records.feed][id],
  known: (id: number) => [undefined, records.observation, records.submission, records.feed][id],
} as unknown as Parameters<typeof submissionJob>[0]['registry']

/** Feed of partition 0 of the log in memory, as the registrations have only one. */
const FEED = 'honeynet'

/** How many entities a submission is about; 0 for one that cannot be used. */
const logs = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 3 * RANGE })

const submission = (entities: number, n: number): BrokerSubmission => ({
  feed: entities === 0 ? 'strangers' : FEED,
  observedAt: null,
  visibleBy: null,
  type: 'domain',
  attributes: { domain: `root-${n}.example.com` },
  reputation: -1,
  tags: [],
  correlate: [],
  associations: Array.from({ length: Math.max(0, entities - 1) }, (_, i) => ({
    mode: 'association' as const,
    type: 'domain',
    attributes: { domain: `n${n}-${i}.example.com` },
    associations: [],
  })),
})

/** `keeps[i]`: how many messages the i-th send appends before the process dies; undefined lets it be. */
async function run(given: readonly number[], keeps: readonly (number | undefined)[], diesAfter: ReadonlySet<number>) {
  const log = memoryLog(2)
  await log.createTopics([FEEDS, SUBMISSIONS, OBSERVATIONS, deadTopic(SUBMISSIONS)].map((name) => ({ name }) as never))
  const feed = { name: FEED, trust: 0.5, groups: ['public'], registeredAt: 1, owner: null }
  await log.send([{ topic: FEEDS, messages: [{ key: FEED, value: encodeFeed(feed) }] }])
  let sends = 0
  let deaths = 0
  const dying: EventLog = {
    ...(log as unknown as EventLog),
    async send(batches) {
      const n = sends++
      if (keeps[n] !== undefined) log.failNext(keeps[n])
      await log.send(batches).catch(() => {
        throw new Died(`in send ${n}`)
      })
      if (diesAfter.has(n)) throw new Died(`after send ${n}`)
    },
  }
  const ports = { log: dying, registry, observationSchemaId: 1, now: () => 1_700_000_000_000, isCovered: () => false }
  const start = () => submissionJob(ports)
  let job = start()
  for (let from = 0; from < given.length; from += RANGE) {
    const messages = given.slice(from, from + RANGE).map((entities, i) => {
      const offset = from + i
      return {
        offset,
        timestamp: 1_700_000_000_000,
        key: null,
        value: encode(submission(entities, offset)),
        headers: {},
      }
    })
    const place = { topic: SUBMISSIONS, partition: 0, from, to: from + messages.length }
    const note = (await job.intent?.(place)) ?? ''
    const rest = { messages, note, highWatermark: given.length, signal: new AbortController().signal }
    for (let redelivered = false; ; redelivered = true) {
      try {
        await job.eachBatch({ ...place, ...rest, redelivered })
        break
      } catch (error) {
        if (!(error instanceof Died)) throw error
        job = start()
        deaths++
      }
    }
  }
  return { log, deaths }
}

test('every observation of a submission is in the log once, wherever the job dies', async () => {
  let deaths = 0
  const keep = fc.option(fc.nat({ max: 6 }), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(
      logs,
      fc.array(keep, { maxLength: 6 }),
      fc.uniqueArray(fc.nat({ max: 6 }), { maxLength: 3 }),
      async (given, keeps, after) => {
        const ended = await run(given, keeps, new Set(after))
        deaths += ended.deaths
        const decoded = ended.log
          .all(OBSERVATIONS)
          .map(({ value }) => records.observation.fromBuffer(value!.subarray(5)))
        const found = decoded.map((o) => o.value as string).sort()
        const wanted = given.flatMap((entities, n) => {
          const { attributes, associations } = submission(entities, n)
          return entities === 0 ? [] : [attributes.domain, ...associations.map((a) => a.attributes.domain)]
        })
        expect(found).toEqual(wanted.map(String).sort())
        expect(new Set(decoded.map((o) => o.id)).size).toBe(found.length)
        const dead = ended.log.all(deadTopic(SUBMISSIONS)).map(({ headers }) => Number(headers['dead-offset']))
        expect([...new Set(dead)]).toEqual(given.flatMap((entities, n) => (entities === 0 ? [n] : [])))
      },
    ),
    { numRuns: 200, seed: 1 },
  )
  expect(deaths).toBeGreaterThan(100)
})
