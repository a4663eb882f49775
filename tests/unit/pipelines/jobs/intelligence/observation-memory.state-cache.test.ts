import { expect, test } from 'vitest'
import { stateCache } from '../../../../../pipelines/jobs/intelligence/observation-memory.ts'
import type { EntityState, EntityStates } from '../../../../../schemas/intelligence/state/entity-state.ts'

const entity = (entityId: string, sources = 1): [string, EntityStates] => [
  entityId,
  [{ entityId, sources } as EntityState],
]

const cacheOf = (maxEntities: number, maxClaims: number) => {
  const cache = stateCache(maxEntities, maxClaims)
  cache.begin(0, 0)
  const known = (...ids: string[]): string => ids.filter((id) => cache.get(0, id) !== undefined).join(' ')
  return { ...cache, known }
}

test('the entities that were stored longest ago make room', () => {
  const cache = cacheOf(2, 100)
  cache.stored(0, 1, new Map([entity('a'), entity('b')]))
  cache.stored(0, 2, new Map([entity('a')]))
  cache.stored(0, 3, new Map([entity('c')]))
  expect(cache.known('a', 'b', 'c')).toBe('a c')
})

test('entities of many sources make others leave sooner, and the last one stays whatever its size', () => {
  const cache = cacheOf(10, 100)
  cache.stored(0, 1, new Map([entity('a', 40), entity('b', 60)]))
  expect(cache.known('a', 'b')).toBe('a b')
  cache.stored(0, 2, new Map([entity('a', 41)]))
  expect(cache.known('a', 'b')).toBe('a')
  cache.stored(0, 3, new Map([entity('c', 5_000)]))
  expect(cache.known('a', 'c')).toBe('c')
  cache.stored(0, 4, new Map([entity('d', 7)]))
  expect(cache.known('c', 'd')).toBe('d')
})

test('a batch that does not follow the last one drops what is remembered', () => {
  const cache = cacheOf(10, 100)
  cache.stored(0, 5, new Map([entity('a')]))
  cache.begin(0, 5)
  expect(cache.known('a')).toBe('a')
  cache.begin(0, 7)
  expect(cache.known('a')).toBe('')
})
