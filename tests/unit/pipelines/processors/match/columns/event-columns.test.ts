import { expect, test } from 'vitest'
import { columnReader } from '../../../../../../pipelines/processors/match/columns/event-columns.ts'
import { ledgerColumns } from '../../../../../../pipelines/processors/match/columns/ledger-columns.ts'
import { partOf, rowsOfColumns } from '../../../../../builders/history/match-model/columns.ts'

const given = { feed: '', owner: 'o', at: 1, kind: null, host: null, user: null, ref: null }
const eventsOf = (values: string[]) => values.map((value, n) => ({ ...given, id: `e${n}`, fields: { query: [value] } }))

test('what is remembered of values is bounded, what comes often stays, and a batch that waits keeps its own', () => {
  const reader = columnReader(100_000)
  const batch = (n: number) => ['often.example.com', ...Array.from({ length: 150 }, (_, i) => `n${n}x${i}.example.com`)]
  const parts = Array.from({ length: 15 }, (_, n) => partOf(eventsOf(batch(n)), reader))
  const tables = [...new Set(parts.map(({ columns }) => columns.values))]
  expect(tables.length).toBeGreaterThan(4)
  for (const table of tables) expect(table.bytes()).toBeLessThan(100_000)
  for (const [n, part] of parts.entries()) {
    const rows = rowsOfColumns(ledgerColumns(part, () => 0))
    expect(rows.map(({ value }) => value)).toEqual(batch(n))
    expect(rows[0]).toMatchObject({ anchor: 'n:com.example', key: 'com.example.often' })
  }
})

test('texts of one value are one value of an event, and fields that are read alike share it', () => {
  const reader = columnReader()
  const answers = ['A.example.com', 'a.example.com.', '10.0.0.1', 'a.example.com']
  const event = { ...given, id: 'e', fields: { answers, query: ['a.example.com'], ja3: ['a.example.com'] } }
  const { columns } = partOf([event], reader)
  expect([columns.valueEnds[0], columns.values.size()]).toEqual([2, 5])
})
