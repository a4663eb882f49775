import { expect, test } from 'vitest'
import {
  daysOf,
  inOrder,
  type OverviewAnswer,
  windowFigures,
  windowOf,
  windowSearch,
} from '../../../../../console/src/pages/overview/figures.ts'
import { formatCount, formatShare } from '../../../../../console/src/parts/format/numbers.ts'

const timeline = ['2026-11-20', '2026-11-21', '2026-11-22'].map((day, count) => ({
  timestamp: `${day}T00:00:00.000Z`,
  count,
}))
const seen = { from: '2026-11-20', to: '2026-11-22' }
const found = {
  items: 3,
  aggregations: {
    malicious: { doc_count: 2 },
    types: { buckets: [{ key: 'ip', doc_count: 3 }] },
    reputations: { buckets: [{ key: -3, doc_count: 2 }] },
    accuracies: { buckets: [{ key: 1, doc_count: 3 }] },
    tags: { buckets: [] },
    days: {
      buckets: [
        { key: Date.UTC(2026, 10, 21), doc_count: 1, malicious: { doc_count: 0 } },
        { key: Date.UTC(2026, 10, 22), doc_count: 2, malicious: { doc_count: 2 } },
      ],
    },
  },
}

test('the window is that of the timeline', () => {
  expect(windowOf({ timeline } as OverviewAnswer)).toEqual(seen)
  expect(windowSearch(seen).query).toEqual({
    filter: [{ range: { lastSeen: { gte: '2026-11-20', lte: '2026-11-22' } } }],
  })
})

test('the figures of a window are those of the search; none are zeros', () => {
  expect(windowFigures(seen, found)).toEqual({
    of: { seen },
    entities: 3,
    malicious: 2,
    types: [{ key: 'ip', count: 3 }],
    reputations: [{ key: '-3', count: 2 }],
    accuracies: [{ key: '1', count: 3 }],
    tags: [],
  })
  expect(windowFigures(seen, { items: 0, aggregations: null })).toMatchObject({ entities: 0, malicious: 0, types: [] })
})

test('days are those of the timeline; the search adds the malicious entities of each day', () => {
  expect(daysOf({ timeline }, undefined).map(({ malicious }) => malicious)).toEqual([null, null, null])
  expect(daysOf({ timeline }, found)).toEqual([
    { day: '2026-11-20', count: 0, malicious: 0 },
    { day: '2026-11-21', count: 1, malicious: 0 },
    { day: '2026-11-22', count: 2, malicious: 2 },
  ])
})

test('scores keep their order, whatever there is of them', () => {
  expect(inOrder([-1, 0], [{ key: '0', count: 5 }])).toEqual([
    { key: '-1', count: 0 },
    { key: '0', count: 5 },
  ])
})

test.each([
  [0, 0, '0.0%'],
  [0, 5, '0.0%'],
  [5, 5, '100%'],
  [1, 3, '33.3%'],
  [1, 100_000, '<0.1%'],
  [99_999, 100_000, '>99.9%'],
])('%d of %d is %s', (count, total, want) => expect(formatShare(count, total)).toBe(want))

test('whole numbers are grouped', () => expect(formatCount(1_234_567)).toBe('1,234,567'))
