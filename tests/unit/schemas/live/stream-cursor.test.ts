import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seals } from '../../../../schemas/cursors/seal.ts'
import { MAX_STREAM_CURSOR, positionIn, streamCursor, streamPurpose } from '../../../../schemas/live/stream-cursor.ts'

const sealing = seals(Buffer.alloc(32, 7))
const purpose = streamPurpose('00000000-0000-4000-8000-00000000000a', '{}')

const number = fc.oneof(fc.nat({ max: 200 }), fc.nat(), fc.maxSafeNat())
const places = fc.array(fc.record({ offset: number, observed: number }), { maxLength: 200 })

describe('the cursor of a stream', () => {
  test('opens to the position that was sealed, to the second, and fits its bound', () => {
    fc.assert(
      fc.property(places, fc.nat({ max: 4_000_000_000_000 }), (at, time) => {
        const cursor = streamCursor(sealing, purpose, { places: at, at: time })
        if (at.length <= 12) expect(cursor.length).toBeLessThan(512)
        if (cursor.length > MAX_STREAM_CURSOR) return
        expect(positionIn(sealing, purpose, cursor)).toEqual({ places: at, at: time - (time % 1_000) })
      }),
    )
  })

  test('with 200 partitions of long logs has room', () => {
    const many = Array.from({ length: 200 }, () => ({ offset: 1e10, observed: 1e10 }))
    const cursor = streamCursor(sealing, purpose, { places: many, at: 1 })
    expect(positionIn(sealing, purpose, cursor)?.places).toEqual(many)
    expect(() => streamCursor(sealing, purpose, { places: [...many, ...many], at: 1 })).toThrow(/200 partitions/)
  })

  test('is of one user, or of nobody, and of one filter', () => {
    const cursor = streamCursor(sealing, purpose, { places: [], at: 0 })
    for (const other of [streamPurpose(null, '{}'), streamPurpose('00000000-0000-4000-8000-00000000000a', '{"a":1}')])
      expect(positionIn(sealing, other, cursor)).toBeNull()
  })

  test('is refused when it was changed or is no cursor', () => {
    const cursor = streamCursor(sealing, purpose, { places: [{ offset: 5, observed: 3 }], at: 0 })
    for (const text of ['', 'x', `${cursor}A`, cursor.slice(0, -1), cursor.replace(/.$/, 'A'), '0'.repeat(46)])
      expect(positionIn(sealing, purpose, text), text).toBeNull()
    for (const content of [Buffer.from([1]), Buffer.from([2, 0]), Buffer.from([1, 0, 0]), Buffer.from([1, 0x80])])
      expect(positionIn(sealing, purpose, sealing.seal(purpose, content))).toBeNull()
  })
})
