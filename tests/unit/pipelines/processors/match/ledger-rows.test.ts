import { expect, test } from 'vitest'
import { arrived, seenEvent, valueReader } from '../../../../../pipelines/processors/match/arrived.ts'
import { ledgerRows } from '../../../../../pipelines/processors/match/ledger-rows.ts'

const HOUR = 3_600_000

test('a flood of one value is one row for each owner and hour, however long the value is', () => {
  const read = valueReader()
  const url = `http://evil.example/${'x'.repeat(1_900)}`
  const events = Array.from({ length: 3_000 }, (_, n) => {
    const given = {
      id: `e${n}`,
      at: 10 * HOUR + (n % 2) * HOUR + n,
      kind: null,
      host: `h${n}`,
      user: null,
      ref: `r${n}`,
    }
    const fields = { url: [url] }
    return arrived(n < 2_000 ? 'a' : 'b', seenEvent({ ...given, fields }), 0, read(fields))
  })
  const rows = ledgerRows(events, (_, hour) => hour + 1)
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
