import { afterAll, beforeAll, expect, test } from 'vitest'
import { harrier } from '../../../cli/program.ts'
import { openRegistry } from '../../../cli/wiring/open/registry.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import { loadConfig } from '../../../platform/config.ts'
import type { BrokerSubmission, FeedRegistration } from '../../../schemas/intelligence/observations/feed.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { deadTopic, FEEDS, OBSERVATIONS, SUBMISSIONS } from '../../../schemas/log/topics.ts'
import { observation } from '../../builders/intelligence/observation.ts'
import { everyRecord } from '../../builders/intelligence/replay/replay.ts'
import { logOf } from '../../builders/platform/data-folder.ts'
import { metricsOf } from '../../builders/platform/metrics.ts'
import { eventually, type Platform, startPlatform } from '../../builders/platform/platform.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

/** What a broker producer got wrong, put right over the API beside a running platform. */
const folder = ownFolder()
const LETTERS = '/api/admin/v1/dead-letters'
let platform: Platform
let log: EventLog
let encode: { submission: (s: BrokerSubmission) => Buffer; feed: (f: FeedRegistration) => Buffer }

beforeAll(async () => {
  platform = await startPlatform(folder)
  log = await logOf(folder)
  const { ids, close } = await openRegistry(loadConfig({ HARRIER_DATA_DIR: folder }))
  await close()
  encode = { submission: encoder(records.submission, ids.submission), feed: encoder(records.feed, ids.feed) }
})
afterAll(async () => {
  await platform?.stop()
  await log?.close()
})

const submission = (feed: string, domain: string): BrokerSubmission => ({
  feed,
  observedAt: null,
  visibleBy: null,
  type: 'domain',
  attributes: { domain },
  reputation: -2,
  tags: ['late'],
  correlate: [],
  associations: [],
})

const submit = (...submissions: BrokerSubmission[]): Promise<void> =>
  log.send([
    { topic: SUBMISSIONS, messages: submissions.map((s, n) => ({ key: `p${n}`, value: encode.submission(s) })) },
  ])

async function register(name: string): Promise<void> {
  const feed = { name, trust: 0.8, groups: ['public'], registeredAt: 1, owner: null }
  await log.send([{ topic: FEEDS, messages: [{ key: name, value: encode.feed(feed) }] }])
}

/** The command line, beside the platform. */
async function command(...args: string[]): Promise<string> {
  let printed = ''
  const write = (text: string): void => {
    printed += text
  }
  const stdout = { write } as unknown as typeof process.stdout
  const env = { HARRIER_DATA_DIR: folder }
  const { stdin, stderr } = process
  const program = await harrier({ env, stdin, stdout, stderr, signal: new AbortController().signal })
  await program.parseAsync(args, { from: 'user' })
  return printed
}

const waiting = async () =>
  (await platform.ask(`${LETTERS}?topic=${SUBMISSIONS}&state=waiting`)).body.letters as Record<string, unknown>[]

test('what died for want of a feed is listed, put back once the feed is there, found, and shown as replayed', async () => {
  const began = Date.now()
  await submit(submission('latecomers', 'late.example.com'), submission('strangers', 'strange.example.com'))
  await eventually(waiting, (letters) => letters.length === 2)
  const found = (await platform.ask(`${LETTERS}?reason=latecomers`)).body.letters
  expect(found).toHaveLength(1)
  const [{ id }] = found
  const shown = (await platform.ask(`${LETTERS}/${encodeURIComponent(id)}`)).body
  expect(shown).toMatchObject({
    reason: 'feed latecomers is not registered',
    state: 'waiting',
    payload: { kind: 'record', record: { feed: 'latecomers', attributes: { domain: 'late.example.com' } } },
  })

  expect(await command('feed', 'list', '--imported')).toBe('Coming in: no feeds\n')
  await register('latecomers')
  expect(await command('feed', 'list', '--imported')).toMatch(
    /^Coming in:\nNAME.*\nlatecomers +0\.8 +public +\d+ years ago +feed:latecomers +-\n$/,
  )
  expect(JSON.parse(await command('feed', 'list', '--imported', '--json'))).toMatchObject({
    name: 'latecomers',
    groups: ['public'],
  })
  const replayed = await platform.ask(`${LETTERS}/replay`, { ids: [id] })
  expect(replayed).toMatchObject({ status: 200, body: { matched: 1, done: 1, skipped: [] } })
  const { body } = await eventually(
    () => platform.ask('/api/search/v1/entities/history/simple', { query: 'late.example.com' }, null),
    (answer) => answer.status === 200,
  )
  expect(JSON.stringify(body)).toContain('late.example.com')
  // It was seen when the record was first written, not when it was put back.
  const [kept] = await everyRecord(log, deadTopic(SUBMISSIONS))
  expect(Number(kept!.headers['dead-timestamp'])).toBeGreaterThanOrEqual(began)

  const after = (await platform.ask(`${LETTERS}/${encodeURIComponent(id)}`)).body
  expect(after).toMatchObject({ state: 'replayed', outcome: { state: 'replayed', note: null } })
  expect((await platform.ask(`${LETTERS}/replay`, { ids: [id] })).body).toMatchObject({ done: 0, matched: 0 })
  expect(await waiting()).toHaveLength(1)
})

test('a letter that is put back too early dies again and names the one before; it is dropped with a note', async () => {
  const [{ id: first }] = (await waiting()) as [{ id: string }]
  await platform.ask(`${LETTERS}/replay`, { ids: [first] })
  const [{ id: second }] = (await eventually(waiting, ([letter]) => letter?.replayedFrom === first)) as [{ id: string }]
  const dropped = await platform.ask(`${LETTERS}/drop`, { ids: [second], note: 'nobody knows them' })
  expect(dropped).toMatchObject({ status: 200, body: { done: 1 } })
  expect(await waiting()).toEqual([])
  expect((await platform.ask(`${LETTERS}/${encodeURIComponent(second)}`)).body.outcome).toMatchObject({
    state: 'dropped',
    note: 'nobody knows them',
  })
  expect(await command('dead-letters', 'list')).toBe('no dead letters\n')
  expect(await command('dead-letters', 'list', SUBMISSIONS, '--all')).toContain(second)
  expect(await command('dead-letters', 'show', second)).toContain('note      nobody knows them')
})

test('what is wrongly asked is refused in words', async () => {
  for (const [path, body] of [
    [`${LETTERS}?topic=nonsense`, undefined],
    [`${LETTERS}?after=${SUBMISSIONS}.dead:0:99999`, undefined],
    [`${LETTERS}/replay`, { ids: ['nonsense'] }],
    [`${LETTERS}/drop`, { ids: [`${SUBMISSIONS}.dead:0:0`] }],
  ] as const)
    expect(await platform.ask(path, body), path).toMatchObject({ status: 400 })
  expect(await platform.ask(`${LETTERS}/${SUBMISSIONS}.dead:0:99999`)).toMatchObject({ status: 404 })
  expect(await platform.ask('/api/admin/v1/breakers/nobody/close', {})).toMatchObject({ status: 404 })
  expect(await platform.ask('/api/admin/v1/breakers/expand/close', {})).toMatchObject({ status: 409 })
})

test('administrators see topics, lag and every part', async () => {
  const { topics } = (await platform.ask('/api/admin/v1/topics')).body
  const submissions = topics.find(({ topic }: { topic: string }) => topic === SUBMISSIONS)
  expect(submissions).toMatchObject({ records: 4, retentionMs: 7 * 86_400_000 })
  expect(Math.abs(Date.now() - submissions.newest)).toBeLessThan(60_000)
  const { groups } = (await platform.ask('/api/admin/v1/lag')).body
  expect(groups.find(({ group }: { group: string }) => group === 'observe')).toMatchObject({
    topic: OBSERVATIONS,
    lag: 0,
  })
  const health = (await platform.ask('/api/admin/v1/health')).body
  expect(health.ready).toBe(true)
  expect(health.parts.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['log', 'registry', 'history', 'accounts', 'breakers', 'jobs', 'follow']),
  )
})

const ready = () => platform.ask('/readyz', undefined, null)
const buriedSubmissions = async () => (await log.offsets(deadTopic(SUBMISSIONS)))[0]!.high
const found = (domain: string) => () => platform.ask('/api/search/v1/entities/history/simple', { query: domain }, null)
const alone = async () =>
  ((await platform.ask('/api/admin/v1/breakers')).body.breakers as { source: string | null; open: boolean }[])
    .filter((breaker) => breaker.source !== null && breaker.open)
    .map(({ source }) => source)

test('thousands of submissions of one feed with a wrong clock stop nobody: the feed stands alone, the good one is read on', async () => {
  await register('clock')
  const before = await buriedSubmissions()
  const wrong = Array.from({ length: 3_000 }, (_, n) => ({
    ...submission('clock', `wrong-${n}.example.com`),
    observedAt: Date.UTC(2099, 0, 1),
  }))
  const good = Array.from({ length: 6 }, (_, n) => submission('latecomers', `good-${n}.example.com`))
  for (let i = 0; i < 3; i++)
    await submit(...wrong.slice(i * 1_000, i * 1_000 + 1_000), ...good.slice(2 * i, 2 * i + 2))
  await eventually(found('good-5.example.com'), (answer) => answer.status === 200)
  await eventually(buriedSubmissions, (high) => high === before + 3_000)
  expect(await eventually(alone, (sources) => sources.length > 0)).toEqual(['feed:clock'])
  expect(await ready()).toMatchObject({ status: 200 })
  const { parts } = (await platform.ask('/api/admin/v1/health')).body
  expect(parts).toContainEqual(
    expect.objectContaining({ name: 'breakers', detail: 'closed; isolated: feed:clock in expand' }),
  )
  const metrics = await metricsOf(platform.url)
  expect(metrics).toContain('harrier_breaker_open{group="expand"} 0')
  expect(metrics).toContain('harrier_isolated_sources{group="expand"} 1')
  const { letters } = (await platform.ask(`${LETTERS}?topic=${SUBMISSIONS}&limit=1`)).body
  expect(letters[0].reason).toMatch(/^observedAt 4070908800000 is out of range/)
  // Nothing of them has reached the observations.
  expect((await log.offsets(deadTopic(OBSERVATIONS)))[0]!.high).toBe(0)

  expect(await command('breaker', 'list')).toMatch(/expand +ISOLATED: feed:clock/)
  await expect(command('breaker', 'close', 'expand', '--source', 'feed:good')).rejects.toThrow('is not isolated')
  expect(await command('breaker', 'close', 'expand', '--source', 'feed:clock')).toContain(
    'the isolation of feed:clock in expand ends',
  )
  expect(await alone()).toEqual([])
})

test('what was observed at a wrong time long ago, and lies among the observations, stops no job and no rebuild', async () => {
  const encode = encoder<Observation>(records.observation, 1)
  const wrong = observation({ type: 'domain', value: 'ancient.example.com', source: 'feed:ancient', observedAt: 5 })
  const { ids, close } = await openRegistry(loadConfig({ HARRIER_DATA_DIR: folder }))
  await close()
  const value = encode(wrong)
  value.writeUInt32BE(ids.observation, 1)
  await log.send([
    { topic: OBSERVATIONS, messages: Array.from({ length: 2_500 }, () => ({ key: wrong.entityId, value })) },
  ])
  const report = { type: 'domain', attributes: { domain: 'behind-them.example.com' }, reputation: -1 }
  expect((await platform.ask('/api/ingest/v1/entity', report)).status).toBe(202)
  await eventually(found('behind-them.example.com'), (answer) => answer.status === 200)
  await eventually(
    async () => (await log.offsets(deadTopic(OBSERVATIONS)))[0]!.high,
    (high) => high === 2_500,
  )
  expect(await eventually(alone, (sources) => sources.length > 0)).toEqual(['feed:ancient'])
  expect(await ready()).toMatchObject({ status: 200 })

  const started = await command('replay', 'start', '--promote')
  expect(started).toMatch(/live/)
  const later = { type: 'domain', attributes: { domain: 'after-the-rebuild.example.com' }, reputation: -1 }
  expect((await platform.ask('/api/ingest/v1/entity', later)).status).toBe(202)
  for (const name of ['after-the-rebuild', 'behind-them'])
    await eventually(found(`${name}.example.com`), (answer) => answer.status === 200)
  expect(await ready()).toMatchObject({ status: 200 })
})

test('too many dead records in a row stop their consumer, all others go on, and closing the breaker lets it try again', async () => {
  const feeds = ['a', 'b', 'c', 'd', 'e'].map((name) => `shared-fault-${name}`)
  for (const feed of feeds) await register(feed)
  const earlier = await buriedSubmissions()
  const submissions = Array.from({ length: 1_000 }, (_, n) => ({
    ...submission(feeds[n % 5]!, `x${n}.example.com`),
    reputation: 9,
  }))
  await log.send([
    { topic: SUBMISSIONS, messages: submissions.map((s) => ({ key: 'one', value: encode.submission(s) })) },
  ])
  const open = await eventually(
    async () =>
      (await platform.ask('/api/admin/v1/breakers')).body.breakers as {
        group: string
        source: string | null
        open: boolean
      }[],
    (breakers) => breakers.some((breaker) => breaker.open && breaker.source === null),
  )
  expect(open.filter((breaker) => breaker.open && breaker.source === null)).toMatchObject([
    { group: 'expand', topic: SUBMISSIONS, run: 1000 },
  ])
  const unready = await ready()
  expect(unready.status).toBe(503)
  expect(unready.body.error.param).toBe('breakers (open: expand)')
  const metrics = await metricsOf(platform.url)
  expect(metrics).toContain('harrier_breaker_open{group="expand"} 1')
  expect(platform.output()).toMatch(
    /"level":60.*too many records are dead, the circuit breaker opened: expand stopped reading entity.submissions/,
  )
  expect(platform.output()).not.toMatch(/a role process ended/)
  const buried = await buriedSubmissions()
  expect(buried).toBeLessThan(earlier + 1_000)

  // The other consumers work on.
  const report = { type: 'domain', attributes: { domain: 'meanwhile.example.com' }, reputation: -1 }
  expect((await platform.ask('/api/ingest/v1/entity', report)).status).toBe(202)
  await eventually(
    () => platform.ask('/api/search/v1/entities/history/simple', { query: 'meanwhile.example.com' }),
    (answer) => answer.status === 200,
  )
  expect(await buriedSubmissions()).toBe(buried)

  expect(await command('breaker', 'list')).toMatch(/expand +OPEN/)
  expect(await command('breaker', 'close', 'expand', '--allow', '2000')).toContain('closed')
  await eventually(buriedSubmissions, (high) => high === earlier + 1_000)
  await eventually(
    () => platform.ask('/readyz', undefined, null),
    ({ status }) => status === 200,
  )
})
