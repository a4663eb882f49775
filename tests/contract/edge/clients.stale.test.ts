import { Redis } from 'ioredis'
import Memcached from 'memcached'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memcachedSession } from '../../../edge/protocols/memcached/memcached-session.ts'
import { redisSession } from '../../../edge/protocols/redis/redis-session.ts'
import { listOf } from '../../builders/edge/list.ts'
import { type Served, served } from '../../builders/edge/server.ts'
import { orSkip } from '../../clients/prepare.ts'
import { installed, pythonCaches } from '../../clients/python/caches/caches.ts'

/** What clients that others wrote tell a program while the list is stale: it is no miss (decisions 19.4). */

const HIT = '203.0.113.9'
const MISS = '198.51.100.1'
const LONG_MS = 300_000

const list = listOf([HIT])
list.set({ stale: true })
let redis: Served
let memcached: Served

beforeAll(async () => {
  redis = await served(() => redisSession(list, { secret: null, version: '0.3.0' }))
  memcached = await served(() => memcachedSession(list, { version: '0.3.0' }))
})
afterAll(() => Promise.all([redis?.close(), memcached?.close()]))

test('ioredis and node-redis', async () => {
  const one = new Redis({ port: redis.port, host: '127.0.0.1', maxRetriesPerRequest: 2 })
  const other = createClient({ url: `redis://127.0.0.1:${redis.port}` })
  await other.connect()
  for (const ask of [() => one.get(MISS), () => one.mget(MISS, HIT), () => one.exists(MISS), () => other.mGet([MISS])])
    await expect(ask()).rejects.toThrow(/^ERR stale/)
  expect([await one.ping(), await other.ping()]).toEqual(['PONG', 'PONG'])
  await Promise.all([one.quit(), other.close()])
})

test('redis-py and pymemcache', { timeout: LONG_MS }, async ({ skip }) => {
  const ask = await orSkip(pythonCaches(), skip)
  const [ofRedis, ofMemcached] = [
    expect.stringContaining('ResponseError'),
    expect.stringContaining('MemcacheServerError'),
  ]
  expect(await ask('stale', redis.port, `${memcached.port}`)).toMatchObject({
    ping: true,
    get: ofRedis,
    mget: ofRedis,
    exists: ofRedis,
    pipeline: ofRedis,
    memory: ofMemcached,
    many: ofMemcached,
  })
})

test('the memcached of npm', async () => {
  const asker = new Memcached(`127.0.0.1:${memcached.port}`, { retries: 0 })
  const told = await new Promise((resolve) => asker.get(MISS, (error, data) => resolve(error ? 'error' : data)))
  asker.end()
  // It says false of what a server refuses, and undefined of a miss.
  expect(told).toBe(false)
})

// libmemcached takes every error of a get for a key that is not there: its users ask `stats` for `stale`.
test('memccat fails, and memcstat says why', { timeout: LONG_MS }, async ({ skip }) => {
  const [cat, stat] = await orSkip(Promise.all(['memccat', 'memcstat'].map(installed)), skip)
  const at = `--servers=127.0.0.1:${memcached.port}`
  expect(await cat!(at, HIT)).toEqual({ ok: false, out: '' })
  expect((await stat!(at)).out).toMatch(/stale: 1\n/)
})
