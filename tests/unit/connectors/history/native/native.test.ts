import { describe, expect, test } from 'vitest'
import {
  array,
  type ColumnType,
  dateTime64,
  digest,
  digestKey,
  float64,
  int8,
  int64,
  map,
  nullable,
  string,
  table,
  uint8,
  uint64,
  uuid,
} from '../../../../../connectors/history/native/native.ts'

/** The bytes of one column with one row, behind its header. */
const bytesOf = <T>(type: ColumnType<T>, value: T): string => {
  const rows = table({ x: type as ColumnType<never> })
  rows.add({ x: value as never })
  const { bytes } = rows.finish()
  return bytes.subarray(2 + 2 + 1 + type.name.length).toString('hex')
}

describe('values as the format has them', () => {
  const cases: [string, ColumnType<never>, unknown, string][] = [
    ['UInt8', uint8, 255, 'ff'],
    ['Int8', int8, -3, 'fd'],
    ['UInt64 from a number', uint64, 2 ** 53 - 1, 'ffffffffffff1f00'],
    ['UInt64 from a bigint', uint64, 2n ** 64n - 1n, 'ffffffffffffffff'],
    ['the least Int64', int64, -(2n ** 63n), '0000000000000080'],
    ['the key of a digest', digestKey, `ip-0123456789ABCDEF${'9'.repeat(48)}`, 'efcdab8967452301'],
    ['Float64', float64, 1, '000000000000f03f'],
    ['a time before 1970', dateTime64, -1, 'ffffffffffffffff'],
    ['String', string, 'aü', '0361c3bc'],
    ['a String of 128 bytes', string, 'a'.repeat(128), `8001${'61'.repeat(128)}`],
    ['a lone surrogate', string, '\ud800', '03efbfbd'],
    ['a digest from hex of both cases', digest, `ip-fF0a${'0'.repeat(60)}`, `ff0a${'00'.repeat(30)}`],
    ['UUID', uuid, '00112233-4455-6677-8899-aabbccddeeff', '7766554433221100ffeeddccbbaa9988'],
    ['Array', array(uint8), [1, 2], '02000000000000000102'],
    ['Nullable', nullable(int8, 0), null, '0100'],
    ['Map', map(string), { a: 'b' }, '010000000000000001610162'],
  ]
  test.each(cases)('%s', (_, type, value, hex) => expect(bytesOf(type, value as never)).toBe(hex))
})

describe('values that do not fit are named with their column', () => {
  const cases: [ColumnType<never>, unknown, string][] = [
    [uint8, 256, '256 is not a valid UInt8'],
    [uint8, 1.5, '1.5 is not a valid UInt8'],
    [int8, Number.NaN, 'NaN is not a valid Int8'],
    [uint64, -1, '-1 is not exactly representable as UInt64'],
    [uint64, 2 ** 53, 'is not exactly representable as UInt64'],
    [uint64, 2n ** 64n, 'is not a valid UInt64'],
    [int64, 2n ** 63n, 'is not a valid Int64'],
    [digestKey, 'ip-ff', 'does not have 64 hex digits'],
    [digestKey, `ip-g${'0'.repeat(63)}`, 'is not hexadecimal'],
    [dateTime64, Number.NaN, 'is not a time'],
    [string, undefined, 'undefined is not a string'],
    [digest, 'ff', "'ff' does not have 64 hex digits"],
    [digest, `fg${'0'.repeat(62)}`, 'is not hexadecimal'],
    [digest, `ff\u0130f${'0'.repeat(60)}`, 'is not hexadecimal'],
    [uuid, '00112233-4455-6677-8899-aabbccddeefg', 'is not a UUID'],
  ]
  test.each(cases)('%#: %s', (type, value, message) => {
    const rows = table({ good: uint8, bad: type })
    expect(() => rows.add({ good: 1, bad: value as never })).toThrow(message)
    expect(() => rows.add({ good: 1, bad: value as never })).toThrow("column 'bad'")
  })
})

describe('a table of rows', () => {
  test('is empty again after a block, whose bytes stay as they were', () => {
    const rows = table({ a: array(string) })
    rows.add({ a: ['x', 'y'] })
    const first = rows.finish()
    const copy = Buffer.from(first.bytes)
    rows.add({ a: ['zz'] })
    const second = rows.finish()
    expect([first.rows, second.rows, rows.rows]).toEqual([1, 1, 0])
    expect(first.bytes.equals(copy)).toBe(true)
    rows.add({ a: ['x', 'y'] })
    expect(rows.finish().bytes.equals(copy)).toBe(true)
  })

  test('takes the memory of a block back, once, and only for one that fits into it', () => {
    const rows = table({ a: string })
    const block = (text: string) => {
      rows.add({ a: text })
      return rows.finish()
    }
    const first = block('x'.repeat(100))
    rows.recycle(first)
    const second = block('y'.repeat(90))
    expect(second.bytes.buffer).toBe(first.bytes.buffer)
    expect(second.bytes.equals(block('y'.repeat(90)).bytes)).toBe(true)
    rows.recycle(second)
    const large = block('z'.repeat(200))
    expect(large.bytes.buffer).not.toBe(first.bytes.buffer)
    expect(block('x').bytes.buffer).toBe(first.bytes.buffer)
    expect(block('x').bytes.buffer).not.toBe(first.bytes.buffer)
  })

  test('drops its rows when one of them is bad: columns of unequal length are no block', () => {
    const rows = table({ a: array(uint8), b: uint8 })
    rows.add({ a: [1], b: 1 })
    expect(() => rows.add({ a: [2, 3], b: 300 })).toThrow("column 'b'")
    expect(rows.rows).toBe(0)
    rows.add({ a: [7], b: 9 })
    const { rows: count, bytes } = rows.finish()
    expect([count, bytes.subarray(-1).toString('hex')]).toEqual([1, '09'])
  })

  test('without rows is an empty block', () =>
    expect(table({ a: uint8 }).finish()).toEqual({ rows: 0, bytes: Buffer.alloc(0) }))
})
