import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRegistry } from '../../../cli/wiring/open/registry.ts'
import { partitionOf } from '../../../connectors/log/partitioner.ts'
import type { EventLog, OutgoingMessage } from '../../../connectors/log/port.ts'
import { loadConfig } from '../../../platform/config.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import type { BrokerSubmission, FeedRegistration } from '../../../schemas/intelligence/observations/feed.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { namedUuid } from '../../../schemas/log/ids.ts'
import { records } from '../../../schemas/log/records.ts'
import { deadTopic, FEEDS, OBSERVATIONS, SUBMISSIONS } from '../../../schemas/log/topics.ts'
import { differences, NO_DIFFERENCES } from '../../builders/history/stored.ts'
import { storedIn } from '../../builders/history/stored-tables.ts'
import { observation } from '../../builders/intelligence/observation.ts'
import { everyRecord, observationsOf, replayed } from '../../builders/intelligence/replay/replay.ts'
import { defaultRules, logOf, withHistory } from '../../builders/platform/data-folder.ts'
import { eventually, type Platform, startPlatform } from '../../builders/platform/platform.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

/** What broker producers may get wrong, written into the log by a process of its own beside a running platform. */
const folder = ownFolder()
let platform: Platform | undefined
let log: EventLog
let encode: {
  observation: (o: Observation) => Buffer
  submission: (s: BrokerSubmission) => Buffer
  feed: (f: FeedRegistration) => Buffer
}

beforeAll(async () => {
  platform = await startPlatform(folder)
  log = await logOf(folder)
  const registry = await openRegistry(loadConfig({ HARRIER_DATA_DIR: folder }))
  const { ids } = registry
  await registry.close()
  encode = {
    observation: encoder(records.observation, ids.observation),
    submission: encoder(records.submission, ids.submission),
    feed: encoder(records.feed, ids.feed),
  }
})
afterAll(async () => {
  await platform?.stop()
  await log.close()
})

let made = 0
/** A good observation, each of its own; `given` spoils it. */
function observed(given: Partial<Observation> = {}): Observation {
  const n = made++
  const id = namedUuid(`poison ${n}`)
  const value = `n${n}.example.net`
  return observation({ id, submissionId: id, type: 'domain', value, observedAt: Date.now(), ...given })
}

const message = (o: Observation, more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  key: o.entityId,
  value: encode.observation(o),
  ...more,
})

type Spoilt = { name: string; make: () => OutgoingMessage; reason: RegExp }

const spoilt = (name: string, given: Partial<Observation>, reason: RegExp): Spoilt => ({
  name,
  make: () => message(observed(given)),
  reason,
})

/** Bytes of a good record, changed. */
const bytes = (name: string, change: (good: Buffer) => Buffer | null, reason: RegExp): Spoilt => ({
  name,
  make: () => {
    const o = observed()
    return { key: o.entityId, value: change(encode.observation(o)), headers: { origin: name } }
  },
  reason,
})

const withId = (good: Buffer, id: number): Buffer => {
  good.writeUInt32BE(id, 1)
  return good
}

const poison: Spoilt[] = [
  bytes('a schema that nobody knows', (good) => withId(good, 4711), /schema 4711 is not an Avro schema/),
  bytes('a record cut short', (good) => good.subarray(0, -9), /truncated/),
  bytes('a record with a tail', (good) => Buffer.concat([good, Buffer.from('x')]), /trailing/),
  bytes('a wrong magic byte', (good) => Buffer.concat([Buffer.from([7]), good.subarray(1)]), /magic byte 7/),
  bytes('no bytes', () => Buffer.alloc(0), /too short/),
  bytes('a tombstone', () => null, /tombstone/),
  bytes('the largest record', () => Buffer.alloc(2 * 1024 * 1024 - 300, 7), /magic byte 7/),
  spoilt('an entityId of another value', { entityId: entityId('domain', 'other.example') }, /entityId does not match/),
  spoilt('a value in no normal form', { value: 'UPPER.example.net' }, /normal form/),
  spoilt('a type that is none', { type: 'nonsense' }, /value/),
  spoilt('an attribute that is none', { attributes: { nonsense: 'x' } }, /attribute nonsense/),
  spoilt('the main value among the attributes', { attributes: { domain: 'other.example' } }, /main value/),
  spoilt('a reputation of 9', { reputation: 9 }, /reputation/),
  spoilt('a trust of 0', { trust: 0 }, /trust/),
  spoilt('a trust that is no number', { trust: Number.NaN }, /trust/),
  spoilt('no source', { source: '' }, /source/),
  spoilt('an id that is none', { id: 'one' }, /UUID/),
  spoilt('a time before all', { observedAt: 1 }, /observedAt/),
  spoilt('a time in two days', { observedAt: Date.now() + 48 * 3_600_000 }, /observedAt/),
  spoilt('an audience of nobody', { audience: [] }, /audience/),
  spoilt('an audience out of order', { audience: ['red', 'blue'] }, /audience/),
  spoilt('public among others', { audience: ['blue', 'public'] }, /audience/),
  spoilt('a tick that states something', { kind: 'tick' }, /tick record must contain only/),
  spoilt('a link to nothing', { links: [{ mode: 'association', entityId: 'domain-x', relationship: null }] }, /link/),
  spoilt('a tag twice', { tags: ['apt', 'apt'] }, /tags/),
  spoilt('a tag in another spelling', { tags: [' APT'] }, /tags/),
  { name: 'the key of another entity', make: () => message(observed(), { key: 'other' }), reason: /key/ },
  {
    name: 'a partition that is not its own',
    make: () => {
      const o = observed()
      return message(o, { partition: 1 - partitionOf(Buffer.from(o.entityId), 2) })
    },
    reason: /partition/,
  },
]

test('good records arrive between bad ones, and every bad one is a dead letter with its bytes and the reason', async () => {
  const sent: { bad: Spoilt; message: OutgoingMessage }[] = []
  const good: Observation[] = []
  const sendGood = async (): Promise<void> => {
    const o = observed()
    good.push(o)
    await log.send([{ topic: OBSERVATIONS, messages: [message(o)] }])
  }
  await sendGood()
  for (const bad of poison) {
    sent.push({ bad, message: bad.make() })
    await log.send([{ topic: OBSERVATIONS, messages: [sent.at(-1)!.message] }])
    await sendGood()
  }
  await eventually(
    async () => (await platform!.ask('/api/analytics/v1/overview', undefined, null)).body.total_entities,
    (total) => total === good.length,
  )
  const dead = await everyRecord(log, deadTopic(OBSERVATIONS))
  expect(dead).toHaveLength(poison.length)
  const log0 = new Map((await everyRecord(log, OBSERVATIONS)).map((m) => [`${m.partition}/${m.offset}`, m]))
  for (const letter of dead) {
    const { headers } = letter
    const original = log0.get(`${headers['dead-partition']}/${headers['dead-offset']}`)!
    expect(letter.value).toEqual(original.value)
    expect(letter.key).toEqual(original.key)
    expect(headers).toMatchObject({ ...original.headers, 'dead-topic': OBSERVATIONS, 'dead-attempts': '1' })
  }
  for (const { bad, message } of sent) {
    const same = dead.find((d) => String(d.key) === String(message.key) && sameBytes(d.value, message.value))
    expect([bad.name, same?.headers['dead-reason']]).toEqual([bad.name, expect.stringMatching(bad.reason)])
  }
})

const sameBytes = (a: Buffer | null, b: Buffer | null): boolean => (a === null || b === null ? a === b : a.equals(b))

const submission = (given: Partial<BrokerSubmission>): BrokerSubmission => ({
  feed: 'honeypots',
  observedAt: null,
  visibleBy: null,
  type: 'domain',
  attributes: { domain: 'seen-by-feed.example.com' },
  reputation: -2,
  tags: ['Trap'],
  correlate: [],
  associations: [],
  ...given,
})

test('a registered feed is heard; what it may not say, and who is not registered, is a dead letter', async () => {
  const register = (name: string, given: Partial<FeedRegistration> = {}): OutgoingMessage => ({
    key: name,
    value: encode.feed({ name, trust: 0.8, groups: ['public'], registeredAt: 1, owner: null, ...given }),
  })
  const feeds = [
    register('honeypots'),
    register('gone'),
    { key: 'gone', value: null },
    register('back'),
    { key: 'back', value: null },
    register('back'),
    register('boastful', { trust: 7 }),
  ]
  await log.send([{ topic: FEEDS, messages: feeds }])
  const said: { say: Partial<BrokerSubmission>; reason?: RegExp }[] = [
    { say: {} },
    { say: { feed: 'back', attributes: { domain: 'seen-again.example.com' } } },
    { say: { feed: 'strangers' }, reason: /feed strangers is not registered/ },
    { say: { feed: 'gone' }, reason: /feed gone is not registered/ },
    { say: { feed: 'boastful' }, reason: /feed boastful is not registered/ },
    { say: { attributes: {} }, reason: /domain/ },
    { say: { attributes: { domain: 'not a name' } }, reason: /domain/ },
    { say: { reputation: 40 }, reason: /reputation/ },
    { say: { visibleBy: ['blue'] }, reason: /visibleBy/ },
    { say: { correlate: ['url'] }, reason: /url/ },
  ]
  const messages = said.map(({ say }, n) => ({ key: `p${n}`, value: encode.submission(submission(say)) }))
  await log.send([{ topic: SUBMISSIONS, messages: [...messages, { key: 'bytes', value: Buffer.from('no record') }] }])
  for (const name of ['seen-by-feed', 'seen-again'])
    await eventually(
      () => platform!.ask('/api/search/v1/entities/history/simple', { query: `${name}.example.com` }, null),
      (answer) => answer.status === 200,
    )
  const wrong = said.filter(({ reason }) => reason !== undefined)
  const dead = await eventually(
    () => everyRecord(log, deadTopic(SUBMISSIONS)),
    (letters) => letters.length >= wrong.length + 1,
  )
  expect(dead).toHaveLength(wrong.length + 1)
  for (const [n, { reason }] of said.entries()) {
    const letter = dead.find((d) => String(d.key) === `p${n}`)
    if (reason === undefined) expect(letter).toBeUndefined()
    else {
      expect(letter!.headers['dead-reason']).toMatch(reason)
      expect(letter!.value).toEqual(messages[n]!.value)
    }
  }
})

test('what came in is stored or buried, nothing twice and nothing besides', async () => {
  expect(await platform!.stop()).toBe(0)
  expect(platform!.output()).not.toMatch(/a role process ended/)
  platform = undefined
  const [came, dead] = [await everyRecord(log, OBSERVATIONS), await everyRecord(log, deadTopic(OBSERVATIONS))]
  const usable = await observationsOf(log)
  expect(came.length).toBe(usable.length + dead.length)
  const actual = await withHistory(folder, storedIn)
  expect(actual.history).toHaveLength(usable.length)
  expect(differences(replayed(usable, defaultRules()), actual)).toEqual(NO_DIFFERENCES)
})
