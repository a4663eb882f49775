import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { newUserOf, type User } from '../../builders/accounts/users.ts'
import { type Unreading, unreading } from '../../builders/network/unreading.ts'
import { metricsOf } from '../../builders/platform/metrics.ts'
import {
  ADMINISTRATOR,
  eventually,
  type Platform,
  remove,
  startPlatform,
  temporaryFolder,
} from '../../builders/platform/platform.ts'

/**
 * Ten thousand clients that open streams and sockets and never read (decisions-2 12.2, 12.4): a thousand find room, memory
 * stays bounded, who lags is told, and everybody else is served.
 */
const CLIENTS = 10_000
/** Of one process. */
const ROOM = 1_000
/** At the same time; the server drops connections beyond 10,000, of which those that were refused are open for a while. */
const AT_ONCE = 100
const SOCKETS = 100
/** Those that stay to the end: what the system takes for each, some 4 MB, is what the test costs. */
const STAY = 100
/** Users with a place each, who read again when it is free: then they were told that they lag. */
const SLOW = 3
const CHANGES = '/api/live/v1/changes'
const LIVE = '/api/analytics/v1/live'
/** Twice 128 MiB may be unread; ten thousand connections leave 200 MiB behind. */
const GROWTH_MIB = 512
/** Of a busy machine. */
const SERVED_MS = 5_000
const ALL_MS = 90_000
/** With every event this wide, about 9 MiB are told to each: the system takes 4 of them, and a stream has one unread. */
const REPORTS = 1_500
const TAGS = Array.from({ length: 100 }, (_, i) => `a-long-tag-that-makes-the-event-wide-with-the-number-${i}`)

const folder = temporaryFolder()
let platform: Platform
let reporter: User
let slow: User[]

beforeAll(async () => {
  platform = await startPlatform(folder)
  reporter = await newUserOf(platform, { roles: ['reporter'], groups: [] })
  const user = () => newUserOf(platform, { roles: ['user'], groups: [] })
  slow = await Promise.all(Array.from({ length: SLOW }, user))
}, 180_000)
afterAll(async () => {
  await platform?.stop()
  remove(folder)
})

const residentMib = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${platform.pid}/status`, 'utf8'))![1]) / 1024

const streamsOpen = async (): Promise<number> =>
  Number(/^harrier_http_streams_open (\d+)/m.exec(await metricsOf(platform.url))![1])

const lines = (as: Record<string, string> = ADMINISTRATOR) =>
  unreading(platform.url, CHANGES, { ...as, accept: 'application/x-ndjson' })
const events = () => unreading(platform.url, CHANGES, ADMINISTRATOR)

async function socket(): Promise<Unreading> {
  const { body } = await platform.ask(`${LIVE}/ticket`)
  return unreading(platform.url, `${LIVE}?ticket=${body.ticket}`, {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  })
}

/** So many of them, some at a time. */
async function opened(count: number, one: (i: number) => Promise<Unreading>): Promise<Unreading[]> {
  const all: Unreading[] = []
  while (all.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - all.length) }, (_, i) => one(all.length + i))
    all.push(...(await Promise.all(some)))
  }
  return all
}

const byStatus = (all: readonly Unreading[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(all, ({ status }) => status)].map(([status, of]) => [String(status), of.length]))

/** What a client reads that took nothing until its only place was free again, so that its stream had ended. */
async function readLate(user: User): Promise<string> {
  const late = await lines(user.headers)
  expect(late.status).toBe(200)
  await eventually(
    async () => {
      const next = await lines(user.headers)
      next.leave()
      return next.status
    },
    (status) => status === 200,
    ALL_MS,
  )
  return late.readOn()
}

/** A client that reads all it is told: the values of the changes, and what the stream said of itself. */
async function goodReader() {
  const leaving = new AbortController()
  const answer = await fetch(platform.url + CHANGES, {
    headers: { ...ADMINISTRATOR, accept: 'application/x-ndjson' },
    signal: leaving.signal,
  })
  expect(answer.status).toBe(200)
  const told: { event: string; data: { entity?: { value: string } } }[] = []
  const read = async (): Promise<void> => {
    let rest = ''
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + piece).split('\n')
      rest = parts.pop()!
      told.push(...parts.map((line) => JSON.parse(line)))
    }
  }
  void read().catch(() => undefined)
  return { told, leave: () => leaving.abort() }
}

test('a thousand streams and sockets find room in a process, and those beyond are told when to come back', async () => {
  const anonymous = await opened(20, () => unreading(platform.url, CHANGES, {}))
  expect(byStatus(anonymous)).toEqual({ 200: 1, 429: 19 })
  const good = await goodReader()
  const before = residentMib()
  let most = before
  const watching = setInterval(() => {
    most = Math.max(most, residentMib())
  }, 100)
  onTestFinished(() => clearInterval(watching))
  const slowest = { ms: 0 }
  const served = async (path: string, body?: object): Promise<void> => {
    const began = performance.now()
    const { status } = await platform.ask(path, body, body === undefined ? null : reporter.headers)
    expect(status).toBe(body === undefined ? 200 : 202)
    slowest.ms = Math.max(slowest.ms, performance.now() - began)
  }

  const late = slow.map(readLate)
  await eventually(streamsOpen, (open) => open === 2 + SLOW)
  const sockets = await opened(SOCKETS, socket)
  expect(byStatus(sockets)).toEqual({ 101: SOCKETS })
  const all = await opened(CLIENTS - SOCKETS, async (i) => {
    if (i % AT_ONCE === 0) await served('/api/analytics/v1/recent')
    return i % 2 === 0 ? lines() : events()
  })
  // The good reader, the first anonymous one and the users have places too.
  const room = ROOM - SOCKETS - 2 - SLOW
  expect(byStatus(all)).toEqual({ 200: room, 503: CLIENTS - SOCKETS - room })
  for (const { status, headers } of all) if (status === 503) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(await streamsOpen()).toBe(ROOM)

  const stay = [...sockets.slice(0, STAY / 10), ...all.filter(({ status }) => status === 200)].slice(0, STAY)
  for (const one of [...anonymous, ...sockets, ...all]) if (!stay.includes(one)) one.leave()
  await eventually(streamsOpen, (open) => open === STAY + 1 + SLOW)
  const values = Array.from({ length: REPORTS }, (_, i) => `n${i}.example`)
  for (let i = 0; i < REPORTS; i += 20)
    await Promise.all(
      values.slice(i, i + 20).map((domain) =>
        served('/api/ingest/v1/entity', {
          type: 'domain',
          attributes: { domain },
          reputation: -3,
          tags: TAGS,
          visibleBy: ['public'],
        }),
      ),
    )
  await eventually(
    async () => good.told.filter(({ event }) => event === 'change').length,
    (told) => told === REPORTS,
    ALL_MS,
  )
  // The last event, and the end of a whole answer.
  for (const text of await Promise.all(late))
    expect(text.slice(-500)).toMatch(/\n{"event":"lagging".*}\n\r\n0\r\n\r\n$/)
  await eventually(streamsOpen, (open) => open === 1)
  console.log(
    JSON.stringify({
      stay: STAY,
      before: Math.round(before),
      most: Math.round(most),
      slowestMs: Math.round(slowest.ms),
    }),
  )
  expect(most - before).toBeLessThan(GROWTH_MIB)
  expect(slowest.ms).toBeLessThan(SERVED_MS)
  expect(new Set(good.told.flatMap(({ data }) => data.entity?.value ?? []))).toEqual(new Set(values))
  expect(good.told.map(({ event }) => event)).not.toContain('lagging')
  good.leave()
}, 240_000)
