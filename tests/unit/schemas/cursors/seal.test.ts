import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_CURSOR, seals } from '../../../../schemas/cursors/seal.ts'

const one = seals(Buffer.alloc(32, 1))
const bytes = fc.uint8Array({ maxLength: 64 }).map((given) => Buffer.from(given))

describe('a sealed cursor', () => {
  test('opens to what it says, for the same purpose alone', () => {
    fc.assert(
      fc.property(bytes, fc.string(), fc.string(), (content, purpose, other) => {
        const cursor = one.seal(purpose, content)
        expect(one.open(purpose, cursor)).toEqual(content)
        if (other !== purpose) expect(one.open(other, cursor)).toBeNull()
      }),
    )
  })

  test('is the same text for the same content, and for no other', () => {
    expect(one.seal('a', Buffer.from('x'))).toBe(one.seal('a', Buffer.from('x')))
    expect(one.seal('a', Buffer.from('x'))).not.toBe(one.seal('b', Buffer.from('x')))
    expect(one.seal('a', Buffer.from('x'))).not.toBe(one.seal('a', Buffer.from('y')))
  })

  test('does not open when any bit of it is another', () => {
    const cursor = Buffer.from(one.seal('feed', Buffer.from('12345678')), 'base64url')
    for (let bit = 0; bit < cursor.length * 8; bit++) {
      const changed = Buffer.from(cursor)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      expect(one.open('feed', changed.toString('base64url'))).toBeNull()
    }
  })

  test('does not open with another secret, cut short, or written in another way', () => {
    const cursor = one.seal('feed', Buffer.from('1'))
    expect(seals(Buffer.alloc(32, 2)).open('feed', cursor)).toBeNull()
    for (const text of [
      '',
      'a',
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}=`,
      `${cursor} `,
      cursor.toUpperCase(),
    ])
      expect(one.open('feed', text)).toBeNull()
    expect(one.open('feed', 'A'.repeat(MAX_CURSOR + 1))).toBeNull()
  })

  test('needs a secret of 32 bytes', () => {
    expect(() => seals(Buffer.alloc(31))).toThrow('32 are needed')
  })
})
