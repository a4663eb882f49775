import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { newSubscriber, type Subscriber } from '../../bench/parts/subscriber.ts'
import { reportedBefore } from '../intelligence/long-ago.ts'
import { lag } from '../platform/lag.ts'
import { metricsOf } from '../platform/metrics.ts'
import { eventually, type Platform, startPlatform } from '../platform/platform.ts'
import { ownFolder } from '../suite/own-folder.ts'
import { type SilentClient, silentClient } from './silent-client.ts'

/**
 * Connections to one process that ask for streams and sockets and never read: what is refused, what is cut off, and
 * whether anybody else is served meanwhile (decisions 12.2, 12.4).
 */
const CHANGES = '/api/live/v1/changes'
const LIVE = '/api/analytics/v1/live'
/** Of one process, and of one user of the largest tier. */
const PLACES = 1_000
const OF_USER = 100
/** Those that nothing is told to beside that they are alive: what the system keeps of a connection is some mebibytes. */
const QUIET = '?types=md5'
const LOUD_OF_USER = 10
/** Of the first user, in places that streams have given back. */
const SOCKETS = 5
/** This machine lets a process have so many open; some are its other files. */
const OPEN_FILES = Number(/Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))![1]) - 1_000
const AT_ONCE = 100
/** What is told is more than the system keeps for a client and the platform lets wait. */
const REPORTS = 420
const VALUE_CHARACTERS = 16_000
const MOST_GROWTH_MIB = 500
const SLOWEST_MS = 10_000

/** Registers the test. @param most of connections, as many as this machine allows */
export function thoseThatNeverRead(most: number): void {
  const connections = Math.min(most, OPEN_FILES)
  const folder = ownFolder()
  let platform: Platform
  let users: Subscriber[]
  const clients: SilentClient[] = []
  beforeAll(async () => {
    platform = await startPlatform(folder, { HARRIER_CONNECTIONS_PER_ADDRESS: '10000' })
    const given = { roles: ['user', 'reporter'], groups: ['public'] }
    users = []
    for (let n = 0; n < PLACES / OF_USER; n++) users.push(await newSubscriber(platform, given))
  }, 480_000)
  afterAll(async () => {
    for (const client of clients) client.leave()
    await platform?.stop()
  })

  const residentMib = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${platform.pid}/status`, 'utf8'))![1]) / 1024

  async function streaming(query: string, headers: Record<string, string> = {}): Promise<SilentClient> {
    const client = await silentClient(platform.url, CHANGES + query, { headers })
    clients.push(client)
    return client
  }

  async function socket(as: Record<string, string> | null): Promise<SilentClient> {
    const { body } = await platform.ask(`${LIVE}/ticket`, undefined, as)
    const client = await silentClient(platform.url, `${LIVE}?ticket=${body.ticket}`, { upgrade: true })
    clients.push(client)
    return client
  }

  /** `count` of them, some at a time. */
  async function opened(count: number, open: (n: number) => Promise<SilentClient>): Promise<SilentClient[]> {
    const all: SilentClient[] = []
    for (let from = 0; from < count; from += AT_ONCE)
      all.push(
        ...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => open(from + n)))),
      )
    return all
  }

  const statuses = (all: readonly SilentClient[]): Record<string, number> =>
    Object.fromEntries([...Map.groupBy(all, ({ status }) => status)].map(([status, of]) => [status, of.length]))

  /** Reports and looks them up again and again, as everybody else does meanwhile. */
  function everybodyElse() {
    const odd: string[] = []
    let [slowest, asked, most] = [0, 0, 0]
    const over = new AbortController()
    const one = async (path: string, body?: object): Promise<void> => {
      const began = performance.now()
      const { status } = await platform.ask(path, body).catch((error: Error) => ({ status: error.message }))
      slowest = Math.max(slowest, performance.now() - began)
      asked++
      if (status !== (body === undefined ? 200 : 202)) odd.push(`${path}: ${status}`)
    }
    const run = async (): Promise<void> => {
      const attributes = { domain: 'seen.example' }
      await one('/api/ingest/v1/entity', { type: 'domain', attributes, reputation: -1, visibleBy: ['public'] })
      await eventually(
        () => platform.ask(`/api/search/v1/entity/${entityId('domain', 'seen.example')}`),
        ({ status }) => status === 200,
      )
      while (!over.signal.aborted) {
        most = Math.max(most, residentMib())
        await one(`/api/search/v1/entity/${entityId('domain', 'seen.example')}`)
        await one('/api/ingest/v1/entity', { type: 'domain', attributes, reputation: -1, visibleBy: ['public'] })
        await sleep(100)
      }
    }
    const running = run()
    return {
      async stop() {
        over.abort()
        await running
        return { odd, slowest, asked, most }
      },
    }
  }

  const streamsOpen = async (): Promise<number> =>
    Number(/^harrier_http_streams_open (\d+)/m.exec(await metricsOf(platform.url))![1])

  test(`of ${connections} that never read, those beyond the places are refused, the rest is cut off, and others are served`, async () => {
    expect(connections).toBeGreaterThan(1.4 * PLACES)
    const idle = residentMib()
    const others = everybodyElse()
    const found = await neverReading().finally(() => others.stop())
    const { odd, slowest, asked, most } = await others.stop()
    console.log(JSON.stringify({ connections: clients.length, idle, most, slowest, asked, ...found }))
    expect(odd).toEqual([])
    expect(asked).toBeGreaterThan(20)
    expect(slowest).toBeLessThan(SLOWEST_MS)
    expect(most - idle).toBeLessThan(MOST_GROWTH_MIB)
  }, 480_000)

  /** They come, are refused or taken in, and those that were taken in end. */
  async function neverReading(): Promise<{ filled: number; reading: number; lagging: number }> {
    const loud: SilentClient[] = []
    const quiet: SilentClient[] = []
    for (const [n, { headers }] of users.entries()) {
      loud.push(...(await opened(LOUD_OF_USER, () => streaming('', headers))))
      quiet.push(...(await opened(OF_USER - LOUD_OF_USER, () => streaming(QUIET, headers))))
      if (n > 0) continue
      const beyond = await opened(20, (i) => (i % 2 === 0 ? streaming('', headers) : socket(headers)))
      expect(statuses(beyond)).toEqual({ 429: 20 })
    }
    expect(statuses(loud)).toEqual({ 200: LOUD_OF_USER * users.length })
    expect(statuses(quiet)).toEqual({ 200: PLACES - loud.length })
    expect(await streamsOpen()).toBe(PLACES)

    const left = connections - clients.length
    const refused = await opened(left, (n) =>
      n % 10 === 0 ? socket(null) : streaming('', n % 2 === 0 ? {} : users[n % users.length]!.headers),
    )
    expect(statuses(refused)).toEqual({ 503: left })
    expect(refused.filter(({ head }) => !/^retry-after: [1-9]/m.test(head))).toEqual([])
    const filled = residentMib()

    const path = 'a'.repeat(VALUE_CHARACTERS)
    await reportedBefore(
      folder,
      Array.from({ length: REPORTS }, (_, n) => ({ type: 'url', value: `https://n${n}.example/${path}` })),
    )
    // Whoever lags gives back its place at once, and is cut off when it does not read on.
    await eventually(
      () => streaming(QUIET),
      ({ status }) => status === 200,
    )
    await eventually(
      () => lag(platform.url),
      (behind) => behind === 0,
    )
    const reading = loud.filter((_, n) => n % 2 === 0)
    const read = Promise.all(reading.map((client) => client.readOn()))
    await eventually(streamsOpen, (open) => open <= quiet.length + 1)
    expect(await streamsOpen()).toBe(quiet.length + 1)
    const lagging = (await read).filter((tail) => /event: lagging\ndata: \{\}\n\n(?:\r\n0\r\n\r\n)?$/.test(tail)).length
    expect(lagging).toBeGreaterThan(0)
    const sockets = await opened(SOCKETS, () => socket(users[0]!.headers))
    expect(statuses(sockets)).toEqual({ 101: SOCKETS })
    return { filled, reading: reading.length, lagging }
  }
}
