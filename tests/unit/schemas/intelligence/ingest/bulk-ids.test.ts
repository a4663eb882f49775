import { hash, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bulkIds } from '../../../../../schemas/intelligence/ingest/bulk-ids.ts'

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const keyHash = (key: string) => hash('sha256', key, 'buffer')
const STARTED = 1_790_000_000_123

const line = fc.integer({ min: 1, max: 2 ** 26 - 1 })
const index = fc.nat(999)

test('an id names its line, is a UUID of the time of its request, and follows from caller, key and line', () => {
  const caller = randomUUID()
  const [ids, same] = [bulkIds(caller, keyHash('a'), STARTED), bulkIds(caller, keyHash('a'), STARTED)]
  fc.assert(
    fc.property(line, index, (number, at) => {
      const id = ids.observation(number, at)
      expect(id).toMatch(UUID_V7)
      expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(STARTED)
      expect(same.observation(number, at)).toBe(id)
      expect(ids.lineOf(id)).toBe(number)
      expect(ids.submission(number)).toMatch(UUID_V7)
    }),
  )
})

test('no two lines, observations or submissions share an id', () => {
  const ids = bulkIds(randomUUID(), keyHash('a'), STARTED)
  fc.assert(
    fc.property(line, index, line, index, (a, i, b, j) => {
      expect(ids.observation(a, i) === ids.observation(b, j)).toBe(a === b && i === j)
      expect(ids.submission(a)).not.toBe(ids.observation(b, j))
    }),
  )
})

test('ids of another caller, key or time are of something else', () => {
  const caller = randomUUID()
  const ids = bulkIds(caller, keyHash('a'), STARTED)
  const others = [
    bulkIds(randomUUID(), keyHash('a'), STARTED),
    bulkIds(caller, keyHash('b'), STARTED),
    bulkIds(caller, keyHash('a'), STARTED + 1),
  ]
  for (const other of others) expect(ids.lineOf(other.observation(1, 0))).toBeNull()
  for (const id of [randomUUID(), '', 'x'.repeat(36)]) expect(ids.lineOf(id)).toBeNull()
})
