import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cidrOf, nameKey, placeOf, within } from '../../../../connectors/edge-list/places.ts'
import { longer } from '../../../builders/platform/longer.ts'

const isBelow = (key: Buffer, above: Buffer): boolean =>
  key.length > above.length && key.subarray(0, above.length).equals(above)

describe('the key of a name', () => {
  test('begins with the keys of its parents, and of no other', () => {
    const key = nameKey('a.b.example')
    for (const above of ['', 'example', 'b.example']) expect(isBelow(key, nameKey(above))).toBe(true)
    for (const other of ['a.b.example', 'ab.example', 'xample', 'exampl', 'a', 'a.b', 'b.example.org'])
      expect([other, isBelow(key, nameKey(other))]).toEqual([other, false])
  })

  test('of labels one of which begins as another, they do not mix', () => {
    const label = fc.constantFrom('a', 'aa', 'a-', 'ab', 'b', '0', 'example', 'example-x')
    const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'))
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(isBelow(nameKey(one), nameKey(other))).toBe(one.endsWith(`.${other}`))
      }),
      { numRuns: longer(500) },
    )
  })
})

describe('the place of a value', () => {
  test.each([
    ['domain', 'evil.example'],
    ['hostname', 'evil.example'],
  ])('of a %s is its name', (type, value) => expect(placeOf(type, value)).toEqual(nameKey(value)))

  test('of an address and of its own network is the same', () => {
    expect(placeOf('ip', '203.0.113.9')).toEqual(placeOf('cidr', '203.0.113.9/32'))
    expect(placeOf('ip', '2001:db8::1')).toEqual(placeOf('cidr', '2001:db8::1/128'))
    expect(placeOf('ip', '203.0.113.9')!.toString('hex')).toBe('34cb00710920')
  })

  test('of a network of another length at the same address is another one', () => {
    expect(placeOf('cidr', '10.0.0.0/8')).not.toEqual(placeOf('cidr', '10.0.0.0/16'))
  })

  test.each([
    ['url', 'http://evil.example/'],
    ['email-address', 'x@evil.example'],
    ['password', '203.0.113.9'],
    ['md5', 'd41d8cd98f00b204e9800998ecf8427e'],
  ])('of a %s there is none', (type, value) => expect(placeOf(type, value)).toBeNull())
})

describe('what begins inside a network', () => {
  const family = fc.constantFrom(4, 16)
  const prefix = family.chain((length) =>
    fc.record({
      bytes: fc.uint8Array({ minLength: length, maxLength: length }),
      bits: fc.integer({ min: 0, max: length * 8 }),
    }),
  )
  const bit = (bytes: Uint8Array, at: number): number => (bytes[at >> 3]! >> (7 - (at % 8))) & 1

  test('are the addresses that share its bits', () => {
    const nearby = prefix.chain(({ bytes, bits }) =>
      fc.nat({ max: bytes.length * 8 - 1 }).map((flipped) => {
        const other = Uint8Array.from(bytes)
        other[flipped >> 3]! ^= 0x80 >> (flipped % 8)
        return { bytes, bits, other, inside: flipped >= bits }
      }),
    )
    fc.assert(
      fc.property(nearby, ({ bytes, bits, other, inside }) => {
        const { start, end } = within({ bytes, bits })
        const family = bytes.length === 4 ? 0x34 : 0x36
        const key = Buffer.concat([Buffer.of(family), other, Buffer.of(bytes.length * 8)])
        expect(Buffer.compare(start, key) <= 0 && Buffer.compare(key, end) < 0).toBe(inside)
      }),
      { numRuns: longer(1_000) },
    )
  })

  test('is written in the notation of CIDR as its bits are', () => {
    expect(cidrOf({ bytes: Uint8Array.of(203, 0, 113, 0), bits: 24 })).toBe('203.0.113.0/24')
    fc.assert(
      fc.property(prefix, ({ bytes, bits }) => {
        const [address, length] = cidrOf({ bytes, bits }).split('/')
        expect(Number(length)).toBe(bits)
        const groups = address!.includes('.') ? address!.split('.').map(Number) : address!.split(':')
        const digits = bytes.length === 4 ? groups : groups.map((group) => Number.parseInt(String(group), 16))
        const read = bytes.length === 4 ? digits : digits.flatMap((group) => [Number(group) >> 8, Number(group) & 255])
        expect(read).toEqual([...bytes])
        expect(bit(bytes, 0)).toBe(Number(read[0]) >> 7)
      }),
      { numRuns: longer(200) },
    )
  })
})
