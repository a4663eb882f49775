/**
 * A deployment as docs/operate/servers.md has it, two processes of the API and of each role of jobs, over Kafka, PostgreSQL and an
 * engine that stands for the ClickHouse server; behind nginx where NGINX names it. One process of each role dies.
 */

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { historyUrl, openHistory } from '../../../cli/wiring/open/open-history.ts'
import { type Engine, startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { databaseUrlOf } from '../../builders/accounts/database/own-database.ts'
import { codeOf, cutAndRepeated } from '../../builders/api/bulk-platform.ts'
import { startProxy } from '../../builders/infra/proxy.ts'
import { ADMINISTRATOR, eventually } from '../../builders/platform/platform.ts'
import { type Running, runRole } from '../../builders/platform/roles.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

const { KAFKA_BROKERS, DATABASE_URL, SCHEMA_REGISTRY_URL, NGINX } = process.env
const named = KAFKA_BROKERS && DATABASE_URL && SCHEMA_REGISTRY_URL

/** Of the limit that is reached; a window is a calendar minute. */
const LIMIT = 30
const REPORTS = 300
/** A broker gives the partitions of a member that died away after 30 s. */
const TAKEN_OVER_MS = 120_000
/** Of one report, while processes die and others start. */
const ACKNOWLEDGED_MS = 60_000

// biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
type Answer = { status: number; body: any }

describe.skipIf(!named)('several processes of each role (KAFKA_BROKERS, SCHEMA_REGISTRY_URL and DATABASE_URL)', () => {
  const folder = ownFolder()
  const run = randomUUID().slice(0, 8)
  const greeting = createServer((socket) => void socket.on('error', () => undefined).end('SSH-2.0-OpenSSH_9.2p1\r\n'))
  const acknowledged = new Set<string>()
  let engine: Engine
  let database: { url: string; remove(): Promise<void> }
  let env: Record<string, string>
  let apis: Running[] = []
  let others: Running[] = []
  let proxy: { url: string; stop(): Promise<void> } | undefined
  let entrance: string
  let reporter: Record<string, string>

  async function ask(at: string, path: string, body?: unknown, as = ADMINISTRATOR as Record<string, string>) {
    const response = await fetch(at + path, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...as },
    })
    const text = await response.text()
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text } satisfies Answer
  }

  beforeAll(async () => {
    greeting.listen(0, '127.0.0.1')
    await once(greeting, 'listening')
    writeFileSync(join(folder, 'tiers.json'), tiers())
    engine = await startEngine({ dataDir: join(folder, 'clickhouse'), onExit: () => undefined })
    database = await databaseUrlOf(DATABASE_URL!)
    env = {
      CLICKHOUSE_URL: historyUrl(engine),
      DATABASE_URL: database.url,
      HARRIER_DATA_DIR: join(folder, 'data'),
      HARRIER_ADMIN_KEY: ADMINISTRATOR['api-key'],
      HARRIER_ADMIN_SECRET: ADMINISTRATOR['api-secret'],
      HARRIER_TIERS_FILE: join(folder, 'tiers.json'),
      HARRIER_TRUSTED_PROXIES: '1',
      HARRIER_SCAN_ALLOW_PRIVATE: 'true',
      HARRIER_SCAN_PORTS: String((greeting.address() as AddressInfo).port),
    }
    // Both at once, on empty stores: whoever comes first makes the tables.
    apis = await Promise.all([runRole('api', env), runRole('api', env)])
    const roles = ['observe', 'observe', 'follow', 'follow', 'scan-worker', 'lifecycle']
    others = await Promise.all(roles.map((role) => runRole(role, env)))
    entrance = apis[0]!.url
    if (NGINX) {
      const hosts = apis.map(({ url }) => new URL(url).host)
      proxy = await startProxy(NGINX, folder, hosts)
      entrance = proxy.url
    }
    reporter = await user()
  }, 300_000)

  afterAll(async () => {
    await proxy?.stop()
    const codes = await Promise.all([...apis, ...others].map((process) => process.stop()))
    await engine?.stop()
    await database?.remove()
    greeting.close()
    expect(codes).toEqual(codes.map(() => 0))
  })

  async function user(): Promise<Record<string, string>> {
    const email = `${randomUUID()}@example.com`
    const { body } = await ask(entrance, '/auth/v2/admin/user', {
      email,
      roles: ['reporter', 'user'],
      groups: ['public'],
    })
    const key = await ask(entrance, `/auth/v2/admin/user/${body.userID}/keypair`, { name: 'test', days: 1 })
    expect(key.status).toBe(201)
    return { 'api-key': key.body.apiKey, 'api-secret': key.body.apiSecret }
  }

  /** Reports until it is acknowledged, as a client does; a report of the same source and content is a repeat. */
  async function report(n: number): Promise<void> {
    const domain = `d${n}.${run}.example.org`
    const until = performance.now() + ACKNOWLEDGED_MS
    for (let tries = 0; performance.now() < until; tries++) {
      const at = NGINX ? entrance : apis[(n + tries) % apis.length]!.url
      const answer = await ask(
        at,
        '/api/ingest/v1/entity',
        { type: 'domain', attributes: { domain }, reputation: -2 },
        reporter,
      )
        // A connection that died with its process.
        .catch(() => ({ status: 0 }))
      if (answer.status === 202) return void acknowledged.add(domain)
      expect([0, 500, 502, 503, 504]).toContain(answer.status)
      await sleep(100)
    }
    throw new Error(`${domain} was never acknowledged`)
  }

  const reported = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n += 20)
      await Promise.all(Array.from({ length: Math.min(20, to - n) }, (_, i) => report(n + i)))
  }

  test('what is reported through both is found through both, once, although one of each role is killed', async () => {
    const selector = { types: ['domain'], value: { suffix: `${run}.example.org` } }
    const feed = await ask(entrance, '/api/feeds/v1/feeds', { name: 'reported', selector, guard: null }, reporter)
    expect(feed.status).toBe(201)
    await reported(0, REPORTS / 3)
    const dying = [apis.pop()!, ...['observe', 'follow', 'scan-worker', 'lifecycle'].map((role) => taken(role))]
    const load = reported(REPORTS / 3, (2 * REPORTS) / 3)
    await Promise.all(dying.map((process) => process.kill()))
    await load
    // Whoever runs them starts them again.
    const [api, ...rest] = await Promise.all(dying.map(({ role }) => runRole(role, env)))
    apis.push(api!)
    others.push(...rest)
    await reported((2 * REPORTS) / 3, REPORTS)
    expect(acknowledged.size).toBe(REPORTS)

    const history = openHistory(env.CLICKHOUSE_URL!)
    const stored = () =>
      history.query<{ value: string; n: string }>({
        sql: 'SELECT value, toString(count()) AS n FROM history WHERE endsWith(value, {run:String}) GROUP BY value',
        params: { run: `.${run}.example.org` },
      })
    const rows = await eventually(stored, (all) => all.length >= REPORTS, TAKEN_OVER_MS)
    expect(new Set(rows.map(({ value }) => value))).toEqual(acknowledged)
    expect(rows.filter(({ n }) => n !== '1')).toEqual([])
    await history.close()
    // One of the processes keeps the list, and another one took over: each API makes a file of it.
    for (const { url } of apis) {
      const list = async () => {
        const answer = await fetch(`${url}/api/feeds/v1/feeds/${feed.body.id}/items.text`, { headers: reporter })
        return answer.ok ? (await answer.text()).split('\n').filter((line) => line !== '') : []
      }
      const values = await eventually(list, (all) => all.length >= REPORTS, TAKEN_OVER_MS)
      expect(values.sort()).toEqual([...acknowledged].sort())
    }
    for (const { url } of apis)
      for (const n of [0, REPORTS / 2, REPORTS - 1]) {
        const query = { query: `d${n}.${run}.example.org` }
        const found = () => ask(url, '/api/search/v1/entities/history/simple', query)
        expect((await eventually(found, ({ status }) => status === 200)).body.items).toBe(1)
      }
  }, 300_000)

  function taken(role: string): Running {
    const at = others.findIndex((process) => process.role === role)
    return others.splice(at, 1)[0]!
  }

  test('a limit holds across both', async () => {
    const window = () => Math.floor(Date.now() / 60_000)
    let [began, statuses] = [0, [] as number[]]
    // Those that were asked in two windows have two limits.
    do {
      const limited = await user()
      began = window()
      const asked = Array.from({ length: 4 * LIMIT }, (_, i) =>
        ask(apis[i % 2]!.url, '/api/analytics/v1/attribution', undefined, limited),
      )
      statuses = (await Promise.all(asked)).map(({ status }) => status)
    } while (window() !== began)
    const admitted = statuses.filter((status) => status === 200).length
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect(admitted).toBeLessThanOrEqual(LIMIT)
    // The rest of a loan may be with the other process for half a second.
    expect(admitted).toBeGreaterThan(LIMIT / 2)
  })

  test('a body under a key is of one process at a time, and the other one goes on where it was cut', async () => {
    const urls = [apis[0]!.url, apis[1]!.url] as const
    const lines = Array.from({ length: 50 }, (_, n) => domainLine(`b${n}.${run}.example.net`))
    const { before, beside, whole, again, other } = await cutAndRepeated(urls, reporter, { key: run, lines, cutAt: 20 })
    expect([codeOf(beside), codeOf(other)]).toEqual(['409 in_progress', '409 idempotency_mismatch'])
    expect(whole.lines.slice(0, 20)).toEqual(before)
    expect(whole.lines.at(-1)).toEqual({ accepted: 50, rejected: 0 })
    expect(again.map(({ text }) => text)).toEqual([whole.text, whole.text, whole.text])
    const history = openHistory(env.CLICKHOUSE_URL!)
    const stored = () =>
      history.query<{ n: string }>({
        sql: 'SELECT toString(count()) AS n FROM history WHERE endsWith(value, {run:String})',
        params: { run: `.${run}.example.net` },
      })
    const [row] = await eventually(stored, ([counted]) => Number(counted?.n) >= 50, TAKEN_OVER_MS)
    expect(row!.n).toBe('50')
    await history.close()
  }, 180_000)

  test('a scan runs, and the end of a user is handled, by those that took over', async () => {
    const { body } = await ask(entrance, '/api/ingest/v1/scan', { target: '127.0.0.1' }, reporter)
    const shown = () => ask(entrance, `/api/ingest/v1/scan/${body.id}`, undefined, reporter)
    await eventually(shown, (answer) => answer.body.status === 'done', TAKEN_OVER_MS)

    const made = await ask(entrance, '/auth/v2/admin/user', {
      email: `${randomUUID()}@example.com`,
      roles: [],
      groups: [],
    })
    const gone = await fetch(`${entrance}/auth/v2/admin/user/${made.body.userID}`, {
      method: 'DELETE',
      headers: ADMINISTRATOR,
    })
    expect(gone.status).toBe(204)
    const lag = async () => {
      const exposition = (await ask(apis[0]!.url, '/metrics')).body as string
      const lines = [...exposition.matchAll(/^harrier_consumer_lag\{.*topic="account\.lifecycle".*\} (\d+)$/gm)]
      return lines.length === 0 ? -1 : lines.reduce((sum, [, n]) => sum + Number(n), 0)
    }
    await eventually(lag, (records) => records === 0, TAKEN_OVER_MS)
  }, 300_000)

  test.skipIf(!NGINX)(
    'the proxy shows what is for callers, tells the API who they are, and keeps the rest inside',
    async () => {
      for (const path of ['/metrics', '/readyz', '//metrics', '/%6detrics'])
        expect([path, (await ask(entrance, path)).status]).toEqual([path, 404])
      expect((await ask(entrance, '/livez')).status).toBe(200)
      // What a caller says of itself stands further left, and is not believed: one address, one limit.
      const statuses = await Promise.all(
        Array.from({ length: 4 * LIMIT }, (_, i) =>
          ask(entrance, '/api/analytics/v1/attribution', undefined, { 'x-forwarded-for': `198.51.100.${i}` }),
        ),
      )
      expect(statuses.map(({ status }) => status)).toContain(429)
      const large = await ask(entrance, '/api/ingest/v1/entity', { type: 'x'.repeat(2 * 1024 * 1024) }, reporter)
      // The answer of the API, not a page of the proxy.
      expect(typeof large.body).toBe('object')
      expect(large.status).toBe(413)
    },
  )

  test('each role shows what it did', async () => {
    const text = async (role: string) =>
      (await Promise.all(others.filter((process) => process.role === role).map(({ url }) => ask(url, '/metrics'))))
        .map(({ body }) => body as string)
        .join('\n')
    expect(await text('observe')).toMatch(/^harrier_job_records_total\{outcome="kept"\} [1-9]/m)
    expect(await text('follow')).toMatch(/^harrier_component_ready\{part="history"\} 1$/m)
    expect(await text('scan-worker')).toMatch(/^harrier_scan_seconds_count\{outcome="done"\} 1$/m)
    expect(await text('lifecycle')).toMatch(/^harrier_component_ready\{part="accounts"\} 1$/m)
  })
})

const domainLine = (domain: string): string => `${JSON.stringify({ type: 'domain', attributes: { domain } })}\n`

const tiers = (): string =>
  JSON.stringify({
    tiers: {
      Public: {
        limits: {
          'analytics-api': { attribution_per_minute: { value: LIMIT } },
          'ingest-api': { entity_per_minute: { value: 1_000_000 }, scan_per_minute: { value: 1_000 } },
        },
      },
    },
  })
