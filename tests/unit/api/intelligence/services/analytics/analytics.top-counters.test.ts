import fc from 'fast-check'
import { expect, test } from 'vitest'
import { correctedTop, provenTop } from '../../../../../../api/intelligence/services/analytics/analytics.ts'
import { topBuckets } from '../../../../../../api/intelligence/services/analytics/buckets.ts'

const map = (of: Record<string, number>) => new Map(Object.entries(of))

const cases = [
  { name: 'nothing unread comes near', read: { a: 9, b: 8, c: 2 }, correction: { a: -1 }, want: ['a', 'b'] },
  { name: 'one that was not read may be as large', read: { a: 9, b: 8, c: 2 }, correction: { b: -6 }, want: null },
  { name: 'one that was not read gains enough', read: { a: 9, b: 8, c: 2 }, correction: { z: 6 }, want: null },
  {
    name: 'one that was not read gains too little',
    read: { a: 9, b: 8, c: 2 },
    correction: { z: 5 },
    want: ['a', 'b'],
  },
]
test.each(cases)('the two largest counters of those that were read: $name', ({ read, correction, want }) => {
  const top = provenTop(map(read), map(correction as unknown as Record<string, number>), 2, false)
  expect(top?.map(({ key }) => key) ?? null).toEqual(want)
})

test('what is proven is what all counters give, and all counters prove it', () => {
  const counters = fc.dictionary(fc.constantFrom(...'abcdefghij'), fc.integer({ min: 1, max: 30 }))
  const corrections = fc.dictionary(fc.constantFrom(...'abcdefghij'), fc.integer({ min: -30, max: 5 }))
  fc.assert(
    fc.property(counters, corrections, fc.integer({ min: 1, max: 4 }), fc.nat(10), (all, correction, size, limit) => {
      const sums = map(all)
      for (const [key, n] of Object.entries(correction)) sums.set(key, (sums.get(key) ?? 0) + n)
      const want = topBuckets(sums, size)
      const sorted = Object.entries(all).sort(([, a], [, b]) => b - a)
      const read = new Map(sorted.slice(0, limit))
      const complete = read.size < limit
      const top = provenTop(read, map(correction), size, complete)
      if (complete) expect(top).toEqual(want)
      else if (top !== null) expect(top).toEqual(want)
    }),
  )
})

test('very many counters that were read are no fault', () => {
  const read = new Map(Array.from({ length: 200_000 }, (_, i) => [`tag-${i}`, 200_001 - i]))
  expect(provenTop(read, new Map([['other', 1]]), 2, false)?.map(({ key }) => key)).toEqual(['tag-0', 'tag-1'])
})

test('counters that are all equal prove nothing: those that are corrected are named after some tries', async () => {
  const keys = Array.from({ length: 1_001 }, (_, i) => `tag-${i}`)
  const asked: { limit: number; touched: string[] }[] = []
  const history = {
    query: async <Row>({ params }: { params: Record<string, unknown> }) => {
      const { limit, touched } = params as (typeof asked)[number]
      asked.push({ limit, touched })
      const found = touched.length > 0 ? [...touched, 'z'] : Array.from({ length: limit }, (_, i) => `tag-${i}`)
      return found.map((key) => ({ dim: 'tag', key, total: '2' })) as Row[]
    },
  }
  const correction = new Map(keys.map((key) => [key, -1]))
  const overlaps = { of: async () => ({ has: () => false, newest: async () => [], correction: () => correction }) }
  const reader = { audiences: [1n], own: [1n], groups: ['blue'] } as never
  const top = await correctedTop(history, overlaps)(reader, ['tag'], false, 1)
  expect(top('tag')).toEqual([{ key: 'z', count: 2 }])
  expect(asked.map(({ touched }) => touched.length > 0)).toEqual([false, false, false, true])
})
