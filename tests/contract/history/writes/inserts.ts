import { beforeAll, beforeEach, expect, test } from 'vitest'
import {
  array,
  dateTime64,
  digest,
  float64,
  int8,
  int64,
  map,
  nullable,
  string,
  table,
  uint8,
  uint16,
  uint32,
  uint64,
  uuid,
} from '../../../../connectors/history/native/native.ts'
import type { History } from '../../../../connectors/history/port.ts'
import { historyBlocks } from '../../../bench/parts/history-rows.ts'
import { ask, type OpenStore } from '../../../builders/history/stores.ts'
import { during } from '../../../builders/suite/during.ts'

const START = Date.UTC(2026, 0, 2)
const numbers = (from: number, to: number) => {
  const rows = table({ a: uint64 })
  for (let a = from; a < to; a++) rows.add({ a })
  return rows.finish()
}

export function storedInserts(open: OpenStore): void {
  const store = during(open)
  let history: History
  let database: string

  beforeAll(async () => {
    ;({ history, database } = await store.migrated())
    const once = 'non_replicated_deduplication_window = 100'
    await history.command(`CREATE TABLE t (a UInt64) ENGINE = MergeTree ORDER BY a SETTINGS ${once}`)
  })
  beforeEach(() => history.command('TRUNCATE TABLE t'))

  const only = async <T>(sql: string): Promise<T> => (await history.query<{ v: T }>({ sql, params: {} }))[0]!.v
  const sum = (): Promise<string> => only<string>("SELECT concat(toString(count()), ':', toString(sum(a))) AS v FROM t")

  test('the same token again is dropped, another token is kept', async () => {
    await history.insert('t', numbers(0, 10), 'one')
    await history.insert('t', numbers(0, 10), 'one')
    expect(await sum()).toBe('10:45')
    await history.insert('t', numbers(0, 10), 'two')
    expect(await sum()).toBe('20:90')
  })

  test('the same token side by side is stored once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => history.insert('t', numbers(0, 1000), 'beside')))
    expect(await sum()).toBe('1000:499500')
  })

  test('rows of a block under one key are told apart or added up by reads, once', async () => {
    const once = 'ORDER BY a SETTINGS non_replicated_deduplication_window = 100'
    await history.command(`CREATE TABLE replaced (a UInt64, v UInt64, n UInt64) ENGINE = ReplacingMergeTree(v) ${once}`)
    await history.command(`CREATE TABLE summed (a UInt64, n UInt64) ENGINE = SummingMergeTree(n) ${once}`)
    const versions = table({ a: uint64, v: uint64, n: uint64 })
    const deltas = table({ a: uint64, n: uint64 })
    for (const [v, n] of [
      [3, 30],
      [5, 50],
      [4, 40],
    ] as const) {
      versions.add({ a: 1, v, n })
      deltas.add({ a: 1, n })
    }
    const [rows, sums] = [versions.finish(), deltas.finish()]
    for (let time = 0; time < 2; time++) {
      await history.insert('replaced', rows, 'rows')
      await history.insert('summed', sums, 'sums')
    }
    expect(await only('SELECT groupArray(toUInt32(n)) AS v FROM replaced FINAL')).toEqual([50])
    expect(await only('SELECT toUInt32(sum(n)) AS v FROM summed')).toBe(120)
    await history.command('OPTIMIZE TABLE replaced FINAL')
    expect(await only('SELECT groupArray(toUInt32(n)) AS v FROM replaced')).toEqual([50])
  })

  test('an empty block is not sent, a block without a token is refused', async () => {
    await history.insert('t', numbers(0, 0), 'empty')
    await expect(history.insert('t', numbers(0, 1), '')).rejects.toThrow('requires a token')
    await expect(history.insert('t (a) VALUES (1)--', numbers(0, 1), 'x')).rejects.toThrow('is not a valid table name')
    expect(await sum()).toBe('0:0')
  })

  test('every byte of a block arrives, empty lines and semicolons too', async () => {
    // 0x0a0a is 2570; 0x3b0a0a is a semicolon before an empty line.
    const values = [0x0a0a, 0x3b0a0a, 0x0a0a0a0a0a0a, 0x0a0a, 0]
    const rows = table({ a: uint64 })
    for (let i = 0; i < 20_000; i++) rows.add({ a: values[i % values.length]! })
    await history.insert('t', rows.finish(), 'bytes')
    const expected = (values.reduce((all, value) => all + value, 0) / values.length) * 20_000
    expect(await sum()).toBe(`20000:${expected}`)
  })

  test('data behind the words of an INSERT are data, whatever they spell', async () => {
    await history.command('CREATE TABLE IF NOT EXISTS words (w String) ENGINE = MergeTree ORDER BY w')
    const lines = 'one\n\nDROP TABLE words;\n\n;two\n'
    const inUrl = { database, query: 'INSERT INTO words FORMAT LineAsString' }
    expect(await ask(store.access, inUrl, lines)).toMatchObject({ status: 200 })
    expect(await ask(store.access, { database }, `INSERT INTO words FORMAT LineAsString\n${lines}`)).toMatchObject({
      status: 200,
    })
    expect(await ask(store.access, { database }, `INSERT INTO words VALUES ('a;\n\n;b'), ('ü');`)).toMatchObject({
      status: 200,
    })
    const words = await only<string[]>('SELECT arraySort(groupUniqArray(w)) AS v FROM words')
    expect(words).toEqual(['', ';two', 'DROP TABLE words;', 'a;\n\n;b', 'one', 'ü'])
  })

  test('a block with a value that the table cannot take stores nothing', async () => {
    await history.command(
      'CREATE TABLE strict (a UInt64, CONSTRAINT small CHECK a < 1000) ENGINE = MergeTree ORDER BY a PARTITION BY a % 4',
    )
    await expect(history.insert('strict', numbers(0, 1001), 'bad')).rejects.toMatchObject({ code: '469' })
    await expect(
      history.insert('strict', { rows: 10, bytes: numbers(0, 10).bytes.subarray(0, 60) }, 'cut'),
    ).rejects.toThrow()
    expect(await only('SELECT toUInt32(count()) AS v FROM strict')).toBe(0)
  })

  test('every type of a block reads back as it was written', async () => {
    const row = {
      i8: -128,
      u8: 255,
      u16: 65_535,
      u32: 4_294_967_295,
      u64: 18_446_744_073_709_551_615n,
      i64: -9_007_199_254_740_991,
      f: 0.1,
      ts: Date.UTC(1969, 11, 31, 23, 59, 59, 999),
      s: 'ü\0\n\n',
      long: 'ж'.repeat(10_000),
      hex: 'ff00'.repeat(16),
      id: '01234567-89ab-cdef-0123-456789abcdef',
      list: ['a', '', 'ß'],
      some: [null, -3, 0],
      m: { k: 'v', ü: '' },
      low: 'word',
    }
    const types = {
      i8: int8,
      u8: uint8,
      u16: uint16,
      u32: uint32,
      u64: uint64,
      i64: int64,
      f: float64,
      ts: dateTime64,
      s: string,
      long: string,
      hex: digest,
      id: uuid,
      list: array(string),
      some: array(nullable(int8, 0)),
      m: map(string),
      low: string,
    }
    await history.command(
      `CREATE TABLE types (i8 Int8, u8 UInt8, u16 UInt16, u32 UInt32, u64 UInt64, i64 Int64, f Float64, ts DateTime64(3, 'UTC'),
       s String, long String, hex FixedString(32), id UUID, list Array(LowCardinality(String)), some Array(Nullable(Int8)),
       m Map(LowCardinality(String), String), low LowCardinality(String)) ENGINE = MergeTree ORDER BY u8`,
    )
    const block = table(types)
    block.add(row)
    block.add({ ...row, list: [], some: [], m: {}, long: '', s: '' })
    await history.insert('types', block.finish(), 'types')
    const sql =
      'SELECT * REPLACE (lower(hex(hex)) AS hex, toUnixTimestamp64Milli(ts) AS ts) FROM types ORDER BY length(list)'
    const text = { u64: '18446744073709551615', i64: '-9007199254740991', ts: '-1' }
    const whole = { ...row, ...text }
    expect(await history.query({ sql, params: {} })).toEqual([
      { ...whole, list: [], some: [], m: {}, long: '', s: '' },
      whole,
    ])
  })

  test('fifty thousand rows are one block and one part, over several months one part each, once', async () => {
    const { blocks } = historyBlocks(1, 50_000, START)
    await history.insert('history', blocks[0]!, 'large')
    await history.insert('history', blocks[0]!, 'large')
    const parts = `SELECT groupArray(toUInt32(rows)) AS v FROM system.parts WHERE active AND database = '${database}' AND table = 'history'`
    expect(await only<number[]>(parts)).toEqual([50_000])
    const spread = table({ ts: dateTime64, id: uuid })
    const id = '01234567-89ab-cdef-0123-456789abcdef'
    for (let month = 0; month < 110; month++) spread.add({ ts: Date.UTC(2010, month, 3), id })
    const block = spread.finish()
    await history.insert('history', block, 'months')
    await history.insert('history', block, 'months')
    expect(await only(`SELECT toUInt32(count()) AS v FROM history WHERE ts < '2025-01-01'`)).toBe(110)
  })
}
