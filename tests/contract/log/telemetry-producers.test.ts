import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kafkaLog } from '../../../connectors/log/kafka/log.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import { untilStored } from '../../../connectors/operations/changes/until-stored.ts'
import { logMatchSettings } from '../../../connectors/operations/match-settings/settings.ts'
import { registryClient } from '../../../connectors/registry/registry-client.ts'
import { MATCH_READS, matchJob } from '../../../pipelines/jobs/match/match-job.ts'
import { feedTable } from '../../../pipelines/runtime/feed-table.ts'
import { pause } from '../../../platform/pause.ts'
import type { FeedRegistration } from '../../../schemas/intelligence/observations/feed.ts'
import { BUILT_IN } from '../../../schemas/intelligence/scoring/rules.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { deadTopic, FEEDS, TELEMETRY } from '../../../schemas/log/topics.ts'
import { memoryMatchStore, nothingKept } from '../../builders/history/match-model/store.ts'
import { everyRecord } from '../../builders/intelligence/replay/replay.ts'
import { scopedLog } from '../../builders/log/scoped-log.ts'
import { promised } from '../../builders/suite/promised.ts'
import { orSkip, pythonProducer } from '../../clients/prepare.ts'
import { until } from './suite.ts'

/** The example for producers of telemetry (docs/integrate/producers.md), against the servers that it is written for. */

const OWNER = 'customer:01941f29-7c00-7000-8000-000000000007'

promised(['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL'], ({ KAFKA_BROKERS, SCHEMA_REGISTRY_URL }) => {
  describe('the example for producers of telemetry', { timeout: 300_000 }, () => {
    let kafka: EventLog
    let log: Awaited<ReturnType<typeof scopedLog>>
    const registry = registryClient({ url: SCHEMA_REGISTRY_URL })
    const kept = nothingKept()
    const ending = new AbortController()
    let stop = async (): Promise<void> => undefined

    beforeAll(async () => {
      kafka = await kafkaLog({ brokers: KAFKA_BROKERS.split(','), sessionMs: 6_000, heartbeatMs: 300 })
      log = await scopedLog(kafka)
      await registry.register(`${TELEMETRY}-value`, records.telemetry)
      const encode = encoder<FeedRegistration>(records.feed, await registry.register(`${FEEDS}-value`, records.feed))
      const feed = { name: 'sensors', trust: 0.5, groups: ['public'], registeredAt: 1, owner: OWNER }
      await log.send([{ topic: FEEDS, messages: [{ key: feed.name, value: encode(feed) }] }])
      const job = matchJob(
        {
          log,
          registry,
          stored: untilStored({ log, pause: async () => undefined }),
          settings: logMatchSettings(log),
          producers: feedTable(log as unknown as EventLog, registry),
          store: memoryMatchStore(kept, async (_, ...tables) => {
            for (const write of tables) write()
          }),
          live: async () => ({
            generation: 'test',
            rules: BUILT_IN,
            rows: { rowsOf: async () => [], groupsOf: async () => new Map() },
            indicators: {
              async *marks() {
                yield Buffer.alloc(0)
              },
              networks: async () => [],
              present: async () => ({ lone: [], several: [] }),
            },
          }),
          encodeMatch: () => Buffer.alloc(0),
          encodeObservation: () => Buffer.alloc(0),
        },
        {
          now: Date.now,
          pause,
          signal: ending.signal,
          report: () => undefined,
          onFailure: (_, error) => expect.unreachable(String(error)),
        },
      )
      const consumer = await log.consume({ ...MATCH_READS, leader: { changed: async () => undefined } }, job.eachBatch)
      stop = async () => {
        ending.abort()
        await consumer.stop()
        await job.stopped()
      }
    }, 60_000)
    afterAll(async () => {
      await stop()
      await kafka?.close()
    })

    const env = (feed: string) => ({
      PATH: process.env.PATH!,
      KAFKA_BROKERS: KAFKA_BROKERS,
      SCHEMA_REGISTRY_URL: SCHEMA_REGISTRY_URL,
      TOPIC: log.named(TELEMETRY),
      FEED: feed,
    })

    test('in Python is kept for the owner of its registration, and of no other feed', async ({ skip }) => {
      const run = await orSkip(pythonProducer('telemetry.py'), skip)
      expect(await run(env('strangers'))).toContain('written')
      await until(
        'strangers are refused',
        async () => (await everyRecord(log, deadTopic(TELEMETRY))).length === 2,
        60_000,
      )
      expect(await run(env('sensors'))).toContain('written')
      await until('it is kept', async () => kept.ledger.size === 4, 60_000)
      const rows = [...kept.ledger.values()]
      expect(new Set(rows.map(({ owner }) => owner))).toEqual(new Set([OWNER]))
      expect(rows.map(({ field, value }) => `${field} ${value}`).sort()).toEqual([
        'answers 203.0.113.44',
        'answers 203.0.113.45',
        'query cdn.bad.example',
        'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      ])
      expect(rows.find(({ field }) => field === 'query')).toMatchObject({ count: 1, hosts: ['pc-7'] })
      expect(await everyRecord(log, deadTopic(TELEMETRY))).toHaveLength(2)
    })
  })
})
