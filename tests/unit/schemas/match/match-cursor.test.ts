import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seals } from '../../../../schemas/cursors/seal.ts'
import { type MatchFilter, matchCursor, matchPlaceIn } from '../../../../schemas/match/match-cursor.ts'

const SEALS = seals(Buffer.alloc(32, 7))
const OWNER = 'user:00000000-0000-4000-8000-000000000001'
const ALL: MatchFilter = { since: null, direction: null, entityId: null }

test('a cursor opens to its place', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 0, max: 2 ** 48 }), (id, matchedAt) => {
      const cursor = matchCursor(SEALS, OWNER, ALL, { matchedAt, id })
      expect(matchPlaceIn(SEALS, OWNER, ALL, cursor)).toEqual({ matchedAt, id })
    }),
  )
})

test('a cursor is of one owner and one filter', () => {
  const filter: MatchFilter = { since: 5, direction: 'retro', entityId: 'x' }
  const cursor = matchCursor(SEALS, OWNER, filter, { matchedAt: 1, id: randomUUID() })
  expect(matchPlaceIn(SEALS, OWNER, filter, cursor)).not.toBeNull()
  expect(matchPlaceIn(SEALS, OWNER.replace('user', 'customer'), filter, cursor)).toBeNull()
  for (const other of [{ since: 6 }, { direction: 'forward' }, { entityId: null }] as const)
    expect(matchPlaceIn(SEALS, OWNER, { ...filter, ...other }, cursor)).toBeNull()
})

test('what is no UUID is no id of a match', () => {
  expect(() => matchCursor(SEALS, OWNER, ALL, { matchedAt: 1, id: 'x' })).toThrow('x')
})
