import { expect, test } from 'vitest'
import type { FieldName } from '../../../../schemas/match/event.ts'
import { hourOf, rowMark } from '../../../../schemas/match/ledger.ts'
import { forwardId, retroId, summaryId } from '../../../../schemas/match/match-id.ts'
import { placeOf, reachOf } from '../../../../schemas/match/place.ts'
import { subjectOf } from '../../../../schemas/match/subject.ts'

const VALUES: [FieldName, string][] = [
  ['query', 'evil.co.uk'],
  ['query', 'a.b.evil.co.uk'],
  ['query', 'co.uk'],
  ['url', 'http://a.b.evil.co.uk/x'],
  ['url', 'http://203.0.113.7/x'],
  ['url', 'http://10.0.0.1/x'],
  ['dst', '203.0.113.7'],
  ['dst', '2001:db8::7'],
  ['md5', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['email', 'joe@evil.co.uk'],
]

test('whatever a value is looked up as reaches the place where the value stands, alone and beside names', () => {
  for (const [field, raw] of VALUES) {
    const subject = subjectOf(field, raw)!
    const { anchor, key } = placeOf(subject)
    for (const { value, types } of subject.lookups)
      for (const type of types) {
        const { anchors, below } = reachOf(type, value)
        const isBelow = key === '' || below.some((name) => key === name || key.startsWith(`${name}.`))
        expect([type, value, anchors.includes(anchor), isBelow]).toEqual([type, value, true, true])
      }
  }
})

test('networks reach from their first to their last address, of either kind', () => {
  const within = (network: string, address: string): boolean => {
    const { anchor } = placeOf(subjectOf('dst', address)!)
    const { ranges, anchors } = reachOf('cidr', network)
    return anchors.includes(anchor) || ranges.some(([first, last]) => anchor >= first && anchor <= last)
  }
  const found = (['203.0.112.0', '203.0.113.255', '203.0.111.255', '203.0.114.0'] as const).map((address) =>
    within('203.0.112.0/23', address),
  )
  expect(found).toEqual([true, true, false, false])
  expect([within('203.0.113.7/32', '203.0.113.7'), within('2001:db8::/32', '2001:db8:ffff::1')]).toEqual([true, true])
  expect(within('2001:db8::/32', '2001:db9::')).toBe(false)
})

test('ids follow from all of what they stand for', () => {
  const row = { value: 'v', field: 'query', hour: 0 }
  const ids = [
    forwardId('o', 'e', 'query', 'x'),
    forwardId('p', 'e', 'query', 'x'),
    forwardId('o', 'f', 'query', 'x'),
    forwardId('o', 'e', 'sni', 'x'),
    forwardId('o', 'e', 'query', 'y'),
    retroId('o', row, 'x'),
    retroId('o', { ...row, hour: 1 }, 'x'),
    retroId('o', { ...row, value: 'w' }, 'x'),
    summaryId('o', 'retro', 'query', 'x'),
  ]
  expect(new Set(ids).size).toBe(ids.length)
  expect(forwardId('o', 'e', 'query', 'x')).toBe(ids[0])
})

test('hours begin on the hour, and a row is known by its value, field and hour', () => {
  expect([hourOf(3_600_000), hourOf(7_199_999), hourOf(0)]).toEqual([3_600_000, 3_600_000, 0])
  const marks = [rowMark('a', 'query', 0), rowMark('b', 'query', 0), rowMark('a', 'sni', 0), rowMark('a', 'query', 1)]
  expect(new Set(marks).size).toBe(4)
  expect(marks.every((mark) => mark >= 0n && mark < 2n ** 64n)).toBe(true)
})
