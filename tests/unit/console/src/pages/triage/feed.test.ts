import { describe, expect, test } from 'vitest'
import { matches, newsText, pendingItems, withLatest } from '../../../../../../console/src/pages/triage/feed.ts'
import { triageItem } from '../../../../../builders/console/triage-item.ts'

const everything = { type: '', accuracy: 0, tag: '', text: '' }

test.each([
  [{}, true],
  [{ type: 'ip' }, true],
  [{ type: 'i' }, false],
  [{ accuracy: 2 }, true],
  [{ accuracy: 3 }, false],
  [{ tag: ' BOT ' }, true],
  [{ tag: 'net' }, false],
  [{ text: '0.113' }, true],
  [{ text: 'TNET' }, true],
  [{ text: 'example' }, false],
  [{ type: 'ip', text: 'example' }, false],
])('an address under %o is shown: %s', (given, want) =>
  expect(matches(triageItem('a'), { ...everything, ...given })).toBe(want),
)

describe('what is read', () => {
  const read = [triageItem('a'), triageItem('b')]
  const latest = [triageItem('c'), triageItem('b', { reputation: -1, last_seen: '2026-11-22T02:00:00.000Z' })]

  test('stays in its place and shows what it has become', () => {
    expect(withLatest(read, latest).map(({ id, reputation }) => [id, reputation])).toEqual([
      ['a', -3],
      ['b', -1],
    ])
  })

  test('new items wait apart from items seen again', () => {
    const { arrived, again } = pendingItems(read, latest)
    expect([arrived, again].map((items) => items.map(({ id }) => id))).toEqual([['c'], ['b']])
  })

  test.each([
    [0, 0, null],
    [12, 0, '12 new'],
    [0, 1, '1 seen again'],
    [100, 2, '100+ new, 2 seen again'],
  ])('%d and %d are %s', (arrived, again, want) => expect(newsText(arrived, again)).toBe(want))
})
