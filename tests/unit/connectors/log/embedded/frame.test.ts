import { crc32, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  encodeFrame,
  entriesOf,
  type FrameEntry,
  frameHeader,
  headersOf,
  isIntact,
  messageOf,
  placeFrame,
} from '../../../../../connectors/log/embedded/frame.ts'

/** Of the bytes of a frame (connectors/log/embedded/frame.ts): its formats, and where the entries begin. */
const [PLAIN, COMPRESSED] = [1, 2]
const HEADER = 40

const bytes = fc.option(fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array)))
const entries = fc
  .array(fc.record({ key: bytes, value: bytes, timestamp: fc.nat() }), { minLength: 1, maxLength: 20 })
  .map((list): FrameEntry[] => list.map((entry, delta) => ({ ...entry, delta, headers: null })))

test('a frame gives back what it was made of, wherever it is placed', () => {
  fc.assert(
    fc.property(entries, fc.nat({ max: 2 ** 40 }), (given, base) => {
      const frame = placeFrame(encodeFrame(given, given.length), base, 7)
      expect(isIntact(frame)).toBe(true)
      expect([...entriesOf(frame)]).toEqual(given)
      expect(frameHeader(frame, base + given.length)).toEqual({
        baseOffset: base,
        runningMax: 7,
        count: given.length,
        span: given.length,
        maxTimestamp: Math.max(...given.map(({ timestamp }) => timestamp)),
      })
    }),
  )
})

test('every flipped bit of what consumers rely on is noticed', () => {
  const entry: FrameEntry = { delta: 0, timestamp: 5, key: Buffer.from('k'), value: Buffer.from('v'), headers: null }
  const frame = placeFrame(encodeFrame([entry], 1), 41, 5)
  for (let bit = 0; bit < frame.length * 8; bit++) {
    // The running maximum only steers the search by time.
    if (bit >= 16 * 8 && bit < 24 * 8) continue
    const damaged = Buffer.from(frame)
    damaged[bit >> 3]! ^= 1 << (bit & 7)
    expect(frameHeader(damaged, 42) !== null && isIntact(damaged)).toBe(false)
  }
})

const alike = (length: number): FrameEntry[] =>
  Array.from({ length }, (_, delta): FrameEntry => {
    const value = Buffer.from(`https://example.org/${delta % 7}/${'x'.repeat(50)}`)
    return { delta, timestamp: delta, key: Buffer.from(`key-${delta}`), value, headers: null }
  })

test('a frame of many alike records is kept compressed, comes back whole, and notices every damage', () => {
  const entries = alike(1_000)
  const frame = placeFrame(encodeFrame(entries, 1_000), 1_000, 999)
  expect(frame.length).toBeLessThan(entries.reduce((sum, { value }) => sum + value!.length, 0) / 2)
  expect([...entriesOf(frame)]).toEqual(entries)
  for (let byte = 24; byte < frame.length; byte += 7) {
    const damaged = Buffer.from(frame)
    damaged[byte]! ^= 4
    expect(frameHeader(damaged, 2_000) !== null && isIntact(damaged)).toBe(false)
  }
})

test('the records of a commit of reports are kept as they are', () => {
  const entries = alike(200)
  const frame = encodeFrame(entries, 200)
  expect(frame.readUInt32LE(4)).toBe(PLAIN)
  expect([...entriesOf(frame)]).toEqual(entries)
})

test('a small frame that an earlier version has compressed is read', () => {
  const entries = alike(50)
  const plain = encodeFrame(entries, 50)
  const packed = Buffer.concat([plain.subarray(0, HEADER), zstdCompressSync(plain.subarray(HEADER))])
  packed.writeUInt32LE(COMPRESSED, 4)
  packed.writeUInt32LE(crc32(packed.subarray(24), COMPRESSED), 0)
  placeFrame(packed, 100, 49)
  expect(frameHeader(packed, 150)).toMatchObject({ baseOffset: 100, count: 50 })
  expect(isIntact(packed)).toBe(true)
  expect([...entriesOf(packed)]).toEqual(entries)
})

test('headers that read like the mark of a checked record are headers', () => {
  const headers = headersOf({ key: 'a', value: null, headers: { checked: '1' } })
  const entry = { delta: 0, timestamp: 1, key: null, value: null, headers }
  const [read] = [...entriesOf(encodeFrame([entry], 1))].map((one) => messageOf(one, 0))
  expect([read!.checked, read!.headers]).toEqual([undefined, { checked: '1' }])
})

test('a frame that is cut short is not one', () => {
  expect(frameHeader(Buffer.alloc(39), 1)).toBeNull()
})

test('headers come back as text', () => {
  const entry: FrameEntry = { delta: 2, timestamp: 5, key: null, value: null, headers: Buffer.from('{"a":"ü"}') }
  expect(messageOf(entry, 40)).toEqual({ offset: 42, timestamp: 5, key: null, value: null, headers: { a: 'ü' } })
})

test('that a record was checked comes back with it, and needs no headers', () => {
  const headers = headersOf({ key: 'a', value: null, checked: true })
  const own = headersOf({ key: 'a', value: null, headers: { a: 'b' }, checked: true })
  const none = headersOf({ key: 'a', value: null, headers: {} })
  const entries = [headers, own, none].map((each, delta) => ({
    delta,
    timestamp: 1,
    key: null,
    value: null,
    headers: each,
  }))
  for (const repeated of [1, 3_000]) {
    const many = Array.from({ length: repeated }, (_, i) =>
      entries.map((one) => ({ ...one, delta: i * 3 + one.delta })),
    )
    const read = [...entriesOf(encodeFrame(many.flat(), many.flat().length))].map((entry) => messageOf(entry, 0))
    expect(read.slice(-3).map(({ checked, headers: of }) => [checked, of])).toEqual([
      [true, {}],
      [undefined, { a: 'b' }],
      [undefined, {}],
    ])
  }
})
