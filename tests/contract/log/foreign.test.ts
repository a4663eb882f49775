import kafkajs from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kafkaLog } from '../../../connectors/log/kafka/log.ts'
import type { EventLog, LogMessage } from '../../../connectors/log/port.ts'
import { logBreakers } from '../../../connectors/operations/breakers/breakers.ts'
import { deadLetterBox } from '../../../connectors/operations/dead-letters/box.ts'
import { replaySeals } from '../../../connectors/operations/dead-letters/seals.ts'
import { consumerLag } from '../../../connectors/operations/lag/consumer-lag.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import { submissionJob } from '../../../pipelines/jobs/intelligence/submissions.ts'
import { circuitBreakers } from '../../../pipelines/runtime/breakers/circuit-breaking-consumer.ts'
import { pause } from '../../../platform/pause.ts'
import type { FeedRegistration } from '../../../schemas/intelligence/observations/feed.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { decoder, encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { deadTopic, FEEDS, OBSERVATIONS, SUBMISSIONS } from '../../../schemas/log/topics.ts'
import { everyRecord } from '../../builders/intelligence/replay/replay.ts'
import { encodeSubmission, SUBMISSION_ID, submission } from '../../builders/log/raw-records.ts'
import { scopedLog } from '../../builders/log/scoped-log.ts'
import { promised } from '../../builders/suite/promised.ts'
import { kafkaPython, orSkip, produceRaw, type RawRecord } from '../../clients/prepare.ts'
import { until } from './suite.ts'

/** Records as clients of others may write them, on a broker that takes them. */

const types = new Map([
  [SUBMISSION_ID, records.submission],
  [8, records.feed],
  [9, records.observation],
])
const registry: Registry = {
  register: async () => 1,
  schema: async (id) => types.get(id),
  known: (id) => types.get(id),
  ping: async () => undefined,
}
const decode = decoder<Observation>(records.observation, registry.known)
const feed: FeedRegistration = { name: 'honest', trust: 0.5, groups: ['public'], registeredAt: 1, owner: null }
const YEAR_9999 = 253_402_300_799_999
const MIB = 1024 * 1024
const text = (words: string) => Buffer.from(words)

let n = 0
/** A good submission with one thing about it that is odd. */
const raw = (name: string, given: Partial<RawRecord> = {}): RawRecord => ({
  name,
  topic: SUBMISSIONS,
  partition: 0,
  codec: 'none',
  timestamp: null,
  key: null,
  headers: [],
  value: encodeSubmission(submission({ attributes: { ip: `203.0.113.${++n}` } })),
  ...given,
})
const value = (given: Parameters<typeof submission>[0]) =>
  encodeSubmission(submission({ attributes: { ip: `203.0.113.${++n}` }, ...given }))

const ODD: RawRecord[] = [
  raw('a null header', { headers: [['trace', null]] }),
  raw('headers that are empty, binary, repeated and without a name', {
    headers: [
      ['', text('x')],
      ['e', text('')],
      ['b', Buffer.from([0xff, 0, 0x80])],
      ['r', null],
      ['r', text('2')],
      ['r', null],
    ],
  }),
  raw('headers with the names of methods', {
    headers: ['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((name) => [name, text('x')] as const),
  }),
  raw('headers of a burial and a replay', {
    headers: ['dead-topic', 'dead-offset', 'dead-handler', 'replayed-time', 'replayed-from', 'replayed-for'].map(
      (name) => [name, text('1')] as const,
    ),
  }),
  raw('many headers', { headers: Array.from({ length: 50_000 }, (_, i) => [`h${i}`, null] as const) }),
  raw('a key of nearly a mebibyte', { key: Buffer.alloc(MIB - 1024, 'k') }),
  raw('an empty key', { key: text('') }),
  raw('snappy', { codec: 'snappy' }),
  raw('lz4', { codec: 'lz4' }),
  raw('gzip', { codec: 'gzip' }),
  raw('zstd', { codec: 'zstd' }),
  raw('its own time', { timestamp: YEAR_9999, value: value({ observedAt: 1_700_000_000_000 }) }),
]
/** Of no use; the reason that its letter gives. */
const BAD: [RawRecord, RegExp][] = [
  [raw('a tombstone', { value: null }), /tombstone/],
  [raw('no bytes', { value: text('') }), /too short/],
  [raw('json', { value: text('{"feed": "honest"}'), headers: [['b', Buffer.from([0xfe])]] }), /magic byte/],
  [raw('an unknown schema', { value: Buffer.from([0, 0, 0, 9, 9, 1]) }), /not an Avro schema of the registry/],
  [raw('cut short', { value: encodeSubmission(submission()).subarray(0, 12) }), /truncated/],
  [
    raw('zeros that unfold to 20 MiB', { value: Buffer.alloc(20 * MIB), codec: 'zstd' }),
    /not an Avro schema of the registry/,
  ],
  [
    raw('headers that unfold to 3 MiB', { value: text('{}'), headers: [['h', Buffer.alloc(3 * MIB)]], codec: 'zstd' }),
    /magic byte|too short/,
  ],
  [raw('the year 9999', { timestamp: YEAR_9999 }), /observedAt .* is out of range/],
  [raw('the time 1', { timestamp: 1 }), /observedAt 1 is out of range/],
  [raw('observed at -1', { value: value({ observedAt: -1 }) }), /observedAt -1 is out of range/],
  [raw('observed in the year 9999', { value: value({ observedAt: YEAR_9999 }) }), /out of range/],
]

promised(['KAFKA_BROKERS'], ({ KAFKA_BROKERS }) => {
  describe('records of clients that are not ours', { timeout: 240_000 }, () => {
    const brokers = KAFKA_BROKERS
    let kafka: EventLog
    let log: Awaited<ReturnType<typeof scopedLog>>
    const admin = new kafkajs.Kafka({ brokers: brokers.split(','), logLevel: kafkajs.logLevel.NOTHING }).admin()

    beforeAll(async () => {
      kafka = await kafkaLog({ brokers: brokers.split(','), sessionMs: 6_000, heartbeatMs: 300 })
      log = await scopedLog(kafka)
      // A topic as somebody else made it: what producers send stays as it is.
      const configEntries = [
        { name: 'compression.type', value: 'producer' },
        { name: 'message.timestamp.after.max.ms', value: '9223372036854775807' },
        { name: 'retention.ms', value: '-1' },
      ]
      await admin.connect()
      const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: log.named(SUBMISSIONS), configEntries }]
      await admin.alterConfigs({ validateOnly: false, resources })
      const registration = encoder<FeedRegistration>(records.feed, 8)(feed)
      await log.send([{ topic: FEEDS, messages: [{ key: feed.name, value: registration }] }])
    }, 60_000)
    afterAll(() => Promise.all([kafka?.close(), admin.disconnect()]))

    test('each ends as observations or as a letter that can be read, shown and put back with its bytes', async ({
      skip,
    }) => {
      const given = [...ODD, ...BAD.map(([record]) => record)]
      const named = given.map((record) => ({ ...record, topic: log.named(SUBMISSIONS) }))
      expect(await produceRaw(await orSkip(kafkaPython(), skip), brokers, named)).toEqual([])

      const consume = circuitBreakers({
        log,
        breakers: logBreakers(log),
        seals: replaySeals(log),
        now: Date.now,
        by: 'test',
        pause,
        onOpen: () => undefined,
        onClose: () => undefined,
        onAlone: () => undefined,
        onFailure: () => undefined,
      }).consume
      const ports = {
        log: log as unknown as EventLog,
        registry,
        observationSchemaId: 9,
        now: Date.now,
        isCovered: () => false,
      }
      const job = submissionJob(ports)
      const consumer = await consume(job, job.eachBatch)
      let failed: unknown
      consumer.closed.catch((error) => (failed = error))
      const ended = async () => {
        if (failed !== undefined) throw failed
        const [at] = await log.committed('expand', SUBMISSIONS)
        return at?.offset === (await log.offsets(SUBMISSIONS))[0]!.high
      }
      await until('every record is used or buried', ended, 60_000)

      const submissions = await everyRecord(log, SUBMISSIONS)
      expect(submissions).toHaveLength(given.length)
      const observed = (await everyRecord(log, OBSERVATIONS)).map(observedValue)
      expect(new Set(observed)).toEqual(new Set(ODD.map(({ value }) => ipOf(value!))))

      const box = deadLetterBox({ log, registry, now: Date.now })
      const { letters } = await box.list({ limit: 100 })
      expect(letters).toHaveLength(BAD.length)
      for (const { id, reason, origin } of letters) {
        const wanted = BAD[origin.offset - ODD.length]!
        expect(reason).toMatch(wanted[1])
        const shown = (await box.show(id))!
        expect(JSON.parse(JSON.stringify(shown))).toMatchObject({ id, bytes: wanted[0].value?.length ?? 0 })
      }
      const json = letters.find(({ origin }) => origin.offset === ODD.length + 2)!
      expect((await box.show(json.id))!.headers).toMatchObject({ b: 'base64:/g==' })

      // Put back they die again, with the same bytes; but for the one of a time to come, which is now that of its replay.
      expect(await box.replay({ topic: SUBMISSIONS, reason: '' }, 'me')).toMatchObject({ done: BAD.length })
      await until('what was put back is buried again', ended, 60_000)
      const again = await everyRecord(log, deadTopic(SUBMISSIONS))
      expect(again).toHaveLength(2 * BAD.length - 1)
      expect(bytesOf(again)).toEqual(bytesOf(again.slice(0, BAD.length)))
      expect((await consumerLag(log, Date.now).lag()).find(({ group }) => group === 'expand')).toMatchObject({ lag: 0 })
      await consumer.stop()
    })

    test('a topic with the time of its broker gives that time', async ({ skip }) => {
      const topic = log.named('entity.changes')
      const configEntries = [{ name: 'message.timestamp.type', value: 'LogAppendTime' }]
      const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configEntries }]
      await admin.alterConfigs({ validateOnly: false, resources })
      const before = Date.now()
      await produceRaw(await orSkip(kafkaPython(), skip), brokers, [raw('of 1970', { topic, timestamp: 1 })])
      const [message] = await log.read('entity.changes', 0, 0, 1, 1)
      expect(message!.timestamp).toBeGreaterThan(before - 60_000)
      expect(message!.timestamp).toBeLessThan(Date.now() + 60_000)
    })
  })
})

function observedValue({ value }: LogMessage): string {
  const decoded = decode(value!)
  if (!decoded.ok) throw new Error(decoded.reason)
  return decoded.record.value
}

const ipOf = (bytes: Buffer): string => /203\.0\.113\.\d+/.exec(bytes.toString('latin1'))![0]

const bytesOf = (messages: readonly LogMessage[]): Set<string> =>
  new Set(messages.map(({ key, value }) => `${key?.toString('hex')} ${value?.length} ${value?.toString('hex', 0, 50)}`))
