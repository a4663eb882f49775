import { expect, test } from 'vitest'
import { detailText, questionOf } from '../../../../../console/src/pages/operations/audit/filter.ts'
import { resultText } from '../../../../../console/src/pages/operations/dead-letters/letters.ts'
import {
  addSample,
  lagByGroup,
  laggingGroups,
  MAX_SAMPLES,
} from '../../../../../console/src/pages/operations/lag/history.ts'
import { formatLead, isSort, nameOf } from '../../../../../console/src/pages/operations/sources/columns.ts'
import { scanDurationMs } from '../../../../../console/src/pages/scans/states.ts'

const stand = (group: string, partition: number, lag: number) => ({
  group,
  partition,
  lag,
  topic: 't',
  committed: 0,
  end: lag,
  oldestUnread: null,
})

test('the lag of a group is that of its partitions together', () =>
  expect(lagByGroup([stand('a', 0, 2), stand('a', 1, 3), stand('b', 0, 0)])).toEqual({ a: 5, b: 0 }))

test('of many the audit log shows how many there were, and the first', () => {
  expect(detailText({ what: 'roles', count: 1, first: ['reporter'] })).toBe('roles: reporter')
  expect(detailText({ what: 'entities', count: 40, first: ['a', 'b'] })).toBe('entities: 40, first a, b')
})

test('looks are kept in order, one for each moment, and the oldest are forgotten', () => {
  let looks = addSample([], 1, [stand('a', 0, 1)])
  expect(addSample(looks, 1, [stand('a', 0, 9)])).toEqual(looks)
  for (let at = 2; at <= MAX_SAMPLES + 5; at++) looks = addSample(looks, at, [stand('a', 0, at)])
  expect([looks.length, looks[0]!.at, looks.at(-1)!.at]).toEqual([MAX_SAMPLES, 6, MAX_SAMPLES + 5])
})

test('a chart has the groups that were behind, worst first', () => {
  const looks = [
    { at: 1, byGroup: { a: 1, b: 0, c: 7 } },
    { at: 2, byGroup: { a: 9, b: 0, c: 0 } },
  ]
  expect(laggingGroups(looks)).toEqual(['a', 'c'])
  expect(laggingGroups(looks, 1)).toEqual(['a'])
})

const told: [handled: { matched: number; done: number; skipped: { id: string; why: string }[] }, said: string][] = [
  [{ matched: 2, done: 2, skipped: [] }, '2 of 2 were replayed'],
  [{ matched: 1, done: 1, skipped: [] }, '1 of 2 was replayed; 1 had been handled before'],
  [{ matched: 2, done: 1, skipped: [{ id: 'x', why: 'gone' }] }, '1 of 2 was replayed; x: gone'],
]
for (const [handled, said] of told) test(said, () => expect(resultText('replayed', 2, handled)).toBe(said))

const leads: [hours: number | null, said: string][] = [
  [null, '—'],
  [0.5, '30 min'],
  [36, '36.0 h'],
  [72, '3.0 d'],
]
for (const [hours, said] of leads) test(`${hours} hours are ${said}`, () => expect(formatLead(hours)).toBe(said))

test('a source is called by its name, or as all others of its kind', () => {
  expect(nameOf({ source: 'feed:abuse', kind: 'feed' })).toBe('abuse')
  expect(nameOf({ source: null, kind: 'customer' })).toBe('All other customers')
  expect([isSort('freshness'), isSort('last_report'), isSort('nonsense'), isSort(null)]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a scan takes from its beginning to its end, or until now', () => {
  const at = '2026-11-22T06:00:00.000Z'
  expect(scanDurationMs({ startedAt: null, finishedAt: null }, 0)).toBeNull()
  expect(scanDurationMs({ startedAt: at, finishedAt: '2026-11-22T06:00:04.000Z' }, 0)).toBe(4_000)
  expect(scanDurationMs({ startedAt: at, finishedAt: null }, Date.parse(at) + 7_000)).toBe(7_000)
})

test('the question about the audit log has the filters of the address that say something', () => {
  const address = new URLSearchParams('actor=u&action=%20key.make%20&subject=&other=x&cursor=c')
  expect(questionOf((name) => address.get(name))).toEqual({ actor: 'u', action: 'key.make', cursor: 'c' })
})
