import { expect, test } from 'vitest'
import { promiseCache } from '../../../platform/promise-cache.ts'

function counted(max = 2) {
  const state = { now: 0, loads: [] as string[] }
  const cache = promiseCache<string>({ max, ttlMs: 100, now: () => state.now })
  const load = (key: string) => async () => {
    state.loads.push(key)
    return `${key}${state.loads.length}`
  }
  return { state, cache, get: (key: string) => cache.get(key, load(key)), load }
}

test('an answer is loaded once while it is fresh, and again when its time is over', async () => {
  const { state, get } = counted()
  expect(await get('a')).toBe('a1')
  state.now = 99
  expect(await get('a')).toBe('a1')
  state.now = 100
  expect(await get('a')).toBe('a2')
})

test('an answer with a lifetime of 0 is loaded every time', async () => {
  let loads = 0
  const cache = promiseCache<number>({ max: 2, ttlMs: 0, now: () => 0 })
  for (const wanted of [1, 2]) expect(await cache.get('a', async () => ++loads)).toBe(wanted)
})

test('callers at the same time share one load', async () => {
  const { state, get } = counted()
  expect(await Promise.all([get('a'), get('a')])).toEqual(['a1', 'a1'])
  expect(state.loads).toEqual(['a'])
})

test('the least recently used entry goes first, and no other', async () => {
  const { state, get } = counted(2)
  await get('a')
  await get('b')
  await get('a')
  await get('c')
  await get('a')
  expect(state.loads).toEqual(['a', 'b', 'c'])
  await get('b')
  expect(state.loads).toEqual(['a', 'b', 'c', 'b'])
})

test('a load that fails is not kept, and takes no later entry away', async () => {
  const { cache, get } = counted()
  const { promise, reject } = Promise.withResolvers<string>()
  const early = cache.get('a', () => promise)
  await cache.refresh('a', async () => 'new')
  reject(new Error('away'))
  await expect(early).rejects.toThrow('away')
  expect(await get('a')).toBe('new')

  await expect(cache.get('b', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await get('b')).toBe('b1')
})

test('a refresh loads though the entry is fresh', async () => {
  const { cache, get, load } = counted()
  await get('a')
  expect(await cache.refresh('a', load('a'))).toBe('a2')
  expect(await get('a')).toBe('a2')
})

test('a slow load is shared until it ends, and fresh for as long again', async () => {
  let now = 0
  const cache = promiseCache<string>({ max: 2, ttlMs: 10, now: () => now, slowMs: 600 })
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = cache.get('a', () => promise)
  now = 500
  const second = cache.get('a', async () => 'another')
  resolve('slow')
  expect(await Promise.all([first, second])).toEqual(['slow', 'slow'])
  now = 999
  expect(await cache.get('a', async () => 'another')).toBe('slow')
  now = 1_000
  expect(await cache.get('a', async () => 'another')).toBe('another')
})

test('a very slow load is fresh no longer than it may', async () => {
  let now = 0
  const cache = promiseCache<string>({ max: 2, ttlMs: 10, now: () => now, slowMs: 40 })
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = cache.get('a', () => promise)
  now = 500
  resolve('slow')
  await first
  now = 539
  expect(await cache.get('a', async () => 'another')).toBe('slow')
  now = 540
  expect(await cache.get('a', async () => 'another')).toBe('another')
})
