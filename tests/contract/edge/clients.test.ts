import { Redis } from 'ioredis'
import Memcached from 'memcached'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memcachedSession } from '../../../edge/protocols/memcached/memcached-session.ts'
import { redisSession } from '../../../edge/protocols/redis/redis-session.ts'
import { listOf, verdictOf } from '../../builders/edge/list.ts'
import { type Served, served } from '../../builders/edge/server.ts'
import { orSkip } from '../../clients/prepare.ts'
import { installed, pythonCaches } from '../../clients/python/caches/caches.ts'

/** Clients of redis and memcached that others wrote: what they ask at their start, and whether they stay in step. */

const HIT = '203.0.113.9'
const MISS = '198.51.100.1'
const VERDICT = verdictOf(HIT)
const SECRET = 'a secret of some length'
const GETS = 1_000
const LONG_MS = 300_000

const list = listOf([HIT, 'evil.example'])
let redis: Served
let locked: Served
let memcached: Served

beforeAll(async () => {
  redis = await served(() => redisSession(list, { secret: null, version: '0.3.0' }))
  locked = await served(() => redisSession(list, { secret: SECRET, version: '0.3.0' }))
  memcached = await served(() => memcachedSession(list, { version: '0.3.0' }))
})
afterAll(() => Promise.all([redis, locked, memcached].map((server) => server?.close())))

/** Hits and misses in turn, each asked for by `get`. */
async function thousand(get: (key: string) => Promise<unknown>): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 2 * GETS }, (_, i) => get(i % 2 === 0 ? HIT : MISS)))
  expect(answers.filter((answer, i) => answer !== (i % 2 === 0 ? VERDICT : null))).toEqual([])
}

describe.each([2, 3] as const)('ioredis with RESP%d', (protocol) => {
  /** A client that gives up soon: one that reconnects for ever would hide an error. */
  const client = (port: number, more: object = {}): Redis =>
    new Redis({ port, host: '127.0.0.1', protocol, maxRetriesPerRequest: 2, ...more })

  test('gets, a list of keys and a pipeline are answered in order on one connection', async () => {
    const before = redis.connections()
    const asker = client(redis.port)
    await thousand((key) => asker.get(key))
    expect(await asker.mget(MISS, HIT, MISS)).toEqual([null, VERDICT, null])
    expect(await asker.pipeline().get(HIT).get(MISS).exists(HIT, HIT).ttl(MISS).exec()).toEqual([
      [null, VERDICT],
      [null, null],
      [null, 2],
      [null, -2],
    ])
    expect(await asker.info()).toContain('loading:0')
    await asker.quit()
    expect(redis.connections() - before).toBe(1)
  })

  test('a secret is asked for, and a wrong one is told', async () => {
    const asker = client(locked.port, { password: SECRET, connectionName: 'a-name' })
    expect(await asker.get(HIT)).toBe(VERDICT)
    expect(await asker.client('GETNAME')).toBe('a-name')
    await asker.quit()
    const wrong = client(locked.port, { password: 'wrong', username: 'default', retryStrategy: () => null })
    wrong.on('error', () => {})
    await expect(wrong.get(HIT)).rejects.toThrow()
    wrong.disconnect()
  })

  test('a client that connects again after each error does so once for each', async () => {
    const before = redis.connections()
    const asker = client(redis.port, { reconnectOnError: () => true })
    await thousand((key) => asker.get(key))
    expect(redis.connections() - before).toBe(1)
    await expect(asker.set('a', 'b')).rejects.toThrow('READONLY')
    expect(await asker.get(HIT)).toBe(VERDICT)
    await asker.quit()
    expect(redis.connections() - before).toBeLessThanOrEqual(2)
  })

  test('errors leave the connection in step', async () => {
    const asker = client(redis.port)
    const outcomes = await Promise.allSettled([
      asker.get(HIT),
      asker.set('a', 'b'),
      asker.get(MISS),
      asker.get('x'.repeat(2_049)),
      asker.call('NONE'),
      asker.get(HIT),
    ])
    expect(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
    ).toEqual([
      VERDICT,
      expect.stringMatching(/^READONLY/),
      null,
      expect.stringMatching(/^ERR key is longer/),
      expect.stringMatching(/^ERR unknown command/),
      VERDICT,
    ])
    await asker.quit()
  })
})

test.each([2, 3] as const)('node-redis with RESP%d', { timeout: LONG_MS }, async (RESP) => {
  const url = `redis://default:${encodeURIComponent(SECRET)}@127.0.0.1:${locked.port}`
  const before = locked.connections()
  const asker = createClient({ url, RESP, name: 'a-name' })
  await asker.connect()
  await thousand((key) => asker.get(key))
  expect(await asker.mGet([MISS, HIT])).toEqual([null, VERDICT])
  expect(await asker.multi().get(HIT).get(MISS).execAsPipeline()).toEqual([VERDICT, null])
  await expect(asker.multi().get(HIT).exec()).rejects.toThrow('unknown command')
  await expect(asker.set('a', 'b')).rejects.toThrow('READONLY')
  expect([await asker.get(HIT), await asker.exists([HIT, HIT]), await asker.type(MISS)]).toEqual([VERDICT, 2, 'none'])
  await asker.close()
  expect(locked.connections() - before).toBe(1)
})

test('redis-cli and redis-benchmark', { timeout: LONG_MS }, async ({ skip }) => {
  const cli = await orSkip(installed('redis-cli'), skip)
  const benchmark = await orSkip(installed('redis-benchmark'), skip)
  const at = ['-h', '127.0.0.1', '-p']
  const ask = async (...args: string[]) => (await cli(...args)).out.trim()
  expect(await ask(...at, `${redis.port}`, 'get', HIT)).toBe(VERDICT)
  expect(await ask(...at, `${redis.port}`, '--no-raw', 'get', MISS)).toBe('(nil)')
  expect(await ask('-3', ...at, `${redis.port}`, '--no-raw', 'mget', MISS, HIT)).toMatch(/^1\) \(nil\)\n2\) "/)
  expect(await ask(...at, `${redis.port}`, '-r', `${GETS}`, 'get', HIT)).toBe(Array(GETS).fill(VERDICT).join('\n'))
  expect(await ask(...at, `${redis.port}`, 'set', 'a', 'b')).toMatch(/^READONLY/)
  expect(await ask(...at, `${locked.port}`, 'get', HIT)).toMatch(/^NOAUTH/)
  expect(await ask('-3', ...at, `${locked.port}`, '--no-auth-warning', '-a', SECRET, 'get', HIT)).toBe(VERDICT)
  expect(await ask(...at, `${locked.port}`, '--no-auth-warning', '-a', 'wrong', 'ping')).toMatch(/WRONGPASS/)
  const load = ['-c', '4', '-n', '20000', '-P', '20', '--csv']
  for (const key of [HIT, MISS]) {
    const { ok, out } = await benchmark(...at, `${redis.port}`, ...load, 'get', key)
    expect([ok, out]).toEqual([true, expect.stringMatching(/"get [\d.]+","[\d.]+"/)])
  }
})

const wrong = (field: string) => expect.stringContaining(field)

test('redis-py', { timeout: LONG_MS }, async ({ skip }) => {
  const ask = await orSkip(pythonCaches(), skip)
  const right = {
    hits: 1,
    misses: true,
    mget: [true, false, true],
    pipelined: true,
    wrapped: wrong('unknown command'),
    after: HIT,
    exists: 2,
    ttl: [-1, -2],
    type: ['string', 'none'],
    set: wrong('the list is read only'),
    long: wrong('key is longer than 2048 bytes'),
    still: HIT,
    loading: 0,
    size: 2,
    ping: true,
  }
  expect(await ask('redis', redis.port)).toMatchObject({ resp2: right, resp3: right })
  const withSecret = await ask('redis', locked.port, SECRET)
  expect(withSecret).toMatchObject({ resp2: right, resp3: right, wrong: wrong('AuthenticationError') })
})

test('pymemcache', { timeout: LONG_MS }, async ({ skip }) => {
  const ask = await orSkip(pythonCaches(), skip)
  expect(await ask('memcached', memcached.port)).toEqual({
    hits: 1,
    misses: true,
    many: [HIT],
    gets: '7',
    set: wrong('read only'),
    quiet: [true, true],
    incr: wrong('read only'),
    long: wrong('key is longer than 250 bytes'),
    still: HIT,
    items: 2,
    version: '1.6.18',
  })
})

test('the memcached of npm', { timeout: LONG_MS }, async () => {
  const asker = new Memcached(`127.0.0.1:${memcached.port}`, { retries: 0, retry: 10 })
  const asked = <T>(ask: (done: (error: unknown, data: T) => void) => void): Promise<T> =>
    new Promise((resolve, reject) => ask((error, data) => (error ? reject(error) : resolve(data))))
  // Of all requests that wait it makes a connection each, up to its bound.
  for (let i = 0; i < GETS; i++) {
    expect(await asked((done) => asker.get(HIT, done))).toBe(VERDICT)
    expect(await asked((done) => asker.get(MISS, done))).toBeUndefined()
  }
  expect(await asked((done) => asker.getMulti([HIT, MISS, 'evil.example'], done))).toEqual({
    [HIT]: VERDICT,
    'evil.example': verdictOf('evil.example'),
  })
  expect(await asked((done) => asker.gets(HIT, done))).toMatchObject({ cas: '7', [HIT]: VERDICT })
  // It takes every error of a server for one that is down, and leaves the server out for `retry` ms.
  expect(await asked((done) => asker.set('k', 'get x\r\n', 0, done))).toBe(false)
  const after = () => asked((done) => asker.get(HIT, done)).catch(() => 'left out')
  await expect.poll(after).toBe(VERDICT)
  asker.end()
})

test('the tools of libmemcached', { timeout: LONG_MS }, async ({ skip }) => {
  const [ping, cat, stat, capable] = await orSkip(
    Promise.all(['memcping', 'memccat', 'memcstat', 'memccapable'].map(installed)),
    skip,
  )
  const at = `--servers=127.0.0.1:${memcached.port}`
  expect(await ping!(at)).toEqual({ ok: true, out: '' })
  expect(await cat!(at, HIT)).toEqual({ ok: true, out: `${VERDICT}\n` })
  expect((await cat!(at, MISS)).out).not.toContain('listed')
  expect((await stat!(at)).out).toMatch(/curr_items: 2\n/)
  // Of its parts, those that store nothing which they then look for.
  for (const part of ['version', 'verbosity', 'stat', 'set noreply', 'add noreply']) {
    const { out } = await capable!('-h', '127.0.0.1', '-p', `${memcached.port}`, '-T', `ascii ${part}`)
    expect([part, out]).toEqual([part, expect.stringContaining('All tests passed')])
  }
})
