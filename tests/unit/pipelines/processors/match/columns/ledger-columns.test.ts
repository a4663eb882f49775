import { expect, test } from 'vitest'
import { ledgerColumns } from '../../../../../../pipelines/processors/match/columns/ledger-columns.ts'
import { partOf, rowsOfColumns } from '../../../../../builders/history/match-model/columns.ts'

const HOUR = 3_600_000
const given = { feed: '', kind: null, user: null, host: null, ref: null }

test('a flood of one value is one row for each owner and hour, however long the value is', () => {
  const fields = { url: [`http://evil.example/${'x'.repeat(1_900)}`] }
  const events = Array.from({ length: 3_000 }, (_, n) => {
    const at = 10 * HOUR + (n % 2) * HOUR + n
    return { ...given, owner: n < 2_000 ? 'a' : 'b', id: `e${n}`, at, host: `h${n}`, ref: `r${n}`, fields }
  })
  const rows = rowsOfColumns(ledgerColumns(partOf(events), (_, hour) => hour + 1))
  expect(rows.map(({ owner, hour, count }) => [owner, hour / HOUR, count])).toEqual([
    ['a', 10, 1_000],
    ['a', 11, 1_000],
    ['b', 10, 500],
    ['b', 11, 500],
  ])
  const [row] = rows
  expect([row!.first, row!.last, row!.hosts.length, row!.refs.length, row!.expires]).toEqual([
    10 * HOUR,
    10 * HOUR + 1_998,
    100,
    5,
    10 * HOUR + 1,
  ])
})

test('a value in two fields has two rows, and each host and reference of a row stands once', () => {
  const event = { ...given, owner: 'o', at: HOUR, host: 'pc', ref: 'r' }
  const fields = { query: ['a.example.com'], sni: ['a.example.com'], src: ['10.0.0.1'] }
  const bare = { ...event, id: 'e2', host: null, ref: null, at: HOUR + 5, fields: { query: ['a.example.com'] } }
  const part = partOf([{ ...event, id: 'e0', fields }, { ...event, id: 'e1', fields }, bare])
  const rows = rowsOfColumns(ledgerColumns(part, (owner, hour) => hour + owner.length))
  const common = { owner: 'o', anchor: 'n:com.example', key: 'com.example.a', value: 'a.example.com', first: HOUR }
  const texts = { hosts: ['pc'], refs: ['r'], hour: HOUR, expires: HOUR + 1 }
  expect(rows).toEqual([
    { ...common, ...texts, field: 'query', count: 3, last: HOUR + 5 },
    { ...common, ...texts, field: 'sni', count: 2, last: HOUR },
  ])
})

test('of events that are left out nothing is added', () => {
  const events = ['a', 'b'].map((id) => ({
    ...given,
    owner: 'o',
    id,
    at: HOUR,
    fields: { query: [`${id}.example.com`] },
  }))
  const part = partOf(events)
  const rows = rowsOfColumns(ledgerColumns({ ...part, events: Uint32Array.of(1) }, () => 0))
  expect(rows.map(({ value }) => value)).toEqual(['b.example.com'])
  expect(ledgerColumns({ ...part, events: new Uint32Array() }, () => 0).rows).toBe(0)
})
