import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seals } from '../../../../schemas/cursors/seal.ts'
import { feedCursor, sequenceIn } from '../../../../schemas/feeds-out/feed-cursor.ts'

const own = seals(Buffer.alloc(32, 5))
const FEED = '01941f29-7c00-7000-8000-000000000001'
const OTHER = '01941f29-7c00-7000-8000-000000000002'

test('a cursor says its sequence, to its feed alone', () => {
  fc.assert(
    fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (sequence) => {
      const cursor = feedCursor(own, FEED, sequence)
      expect(sequenceIn(own, FEED.toUpperCase(), cursor)).toBe(sequence)
      expect(sequenceIn(own, OTHER, cursor)).toBeNull()
    }),
  )
})

test('what was sealed for a feed and is no place is no cursor', () => {
  expect(sequenceIn(own, FEED, own.seal(`feed ${FEED}`, Buffer.alloc(8)))).toBeNull()
  expect(sequenceIn(own, FEED, own.seal(`feed ${FEED}`, Buffer.alloc(9, 2)))).toBeNull()
})
