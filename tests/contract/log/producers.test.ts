import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kafkaLog } from '../../../connectors/log/kafka/log.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import { registryClient } from '../../../connectors/registry/registry-client.ts'
import { submissionJob } from '../../../pipelines/jobs/intelligence/submissions.ts'
import { recordDecoder } from '../../../pipelines/runtime/decode.ts'
import type { FeedRegistration } from '../../../schemas/intelligence/observations/feed.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { deadTopic, FEEDS, OBSERVATIONS, SUBMISSIONS } from '../../../schemas/log/topics.ts'
import { everyRecord } from '../../builders/intelligence/replay/replay.ts'
import { scopedLog } from '../../builders/log/scoped-log.ts'
import { promised } from '../../builders/suite/promised.ts'
import { javaProducer, orSkip, pythonProducer } from '../../clients/prepare.ts'
import { until } from './suite.ts'

/** The examples for producers (docs/integrate/producers.md), against the servers that they are written for. */

promised(['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL'], ({ KAFKA_BROKERS, SCHEMA_REGISTRY_URL }) => {
  describe('the examples for producers', { timeout: 300_000 }, () => {
    let kafka: EventLog
    let log: Awaited<ReturnType<typeof scopedLog>>
    const registry = registryClient({ url: SCHEMA_REGISTRY_URL })
    const observations = recordDecoder<Observation>(records.observation, registry)
    let stop = async (): Promise<void> => undefined

    beforeAll(async () => {
      kafka = await kafkaLog({ brokers: KAFKA_BROKERS.split(','), sessionMs: 6_000, heartbeatMs: 300 })
      log = await scopedLog(kafka)
      await registry.register(`${SUBMISSIONS}-value`, records.submission)
      const observationSchemaId = await registry.register(`${OBSERVATIONS}-value`, records.observation)
      const encode = encoder<FeedRegistration>(records.feed, await registry.register(`${FEEDS}-value`, records.feed))
      const feed = { name: 'honeypots', trust: 0.8, groups: ['public'], registeredAt: 1, owner: null }
      await log.send([{ topic: FEEDS, messages: [{ key: feed.name, value: encode(feed) }] }])
      const job = submissionJob({
        log: log as unknown as EventLog,
        registry,
        observationSchemaId,
        now: Date.now,
        isCovered: () => false,
      })
      const consumer = await log.consume(job, job.eachBatch)
      stop = () => consumer.stop()
    }, 60_000)
    afterAll(async () => {
      await stop()
      await kafka?.close()
    })

    /** What came of the observations of the example, with the values of the entities it told of. */
    async function told(
      run: (env: Record<string, string>) => Promise<string>,
      entities: number,
    ): Promise<Observation[]> {
      const before = (await everyRecord(log, OBSERVATIONS)).length
      const env = { PATH: process.env.PATH!, KAFKA_BROKERS: KAFKA_BROKERS, SCHEMA_REGISTRY_URL: SCHEMA_REGISTRY_URL }
      expect(await run({ ...env, TOPIC: log.named(SUBMISSIONS) })).toContain('written')
      const count = async () => (await log.offsets(OBSERVATIONS)).reduce((sum, { high }) => sum + high, 0)
      await until('it is expanded', async () => (await count()) >= before + entities, 60_000)
      expect(await everyRecord(log, deadTopic(SUBMISSIONS))).toEqual([])
      const messages = await everyRecord(log, OBSERVATIONS)
      await observations.learn(messages)
      return messages.map((message) => {
        const decoded = observations.decode(message)
        if (!decoded.ok) throw new Error(decoded.reason)
        return decoded.record
      })
    }

    test('in Python is heard', async ({ skip }) => {
      const found = await told(await orSkip(pythonProducer(), skip), 3)
      expect(found.find(({ value }) => value === '203.0.113.44')).toMatchObject({
        source: 'feed:honeypots',
        reputation: -2,
        tags: ['brute-force', 'ssh'],
        links: [{ mode: 'association' }],
      })
      expect(found.map(({ type }) => type).sort()).toEqual(['domain', 'ip', 'sha3-256'])
      for (const { observedAt } of found) expect(Math.abs(Date.now() - observedAt)).toBeLessThan(120_000)
    })

    test('in Java is heard', async ({ skip }) => {
      const found = await told(await orSkip(javaProducer(), skip), 2)
      expect(found.find(({ value }) => value === '203.0.113.45')).toMatchObject({
        source: 'feed:honeypots',
        trust: 0.8,
      })
      expect(found.map(({ value }) => value)).toContain('scanner.example.org')
    })
  })
})
