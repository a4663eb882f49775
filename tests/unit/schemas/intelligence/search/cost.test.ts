import { expect, test } from 'vitest'
import { isHeavy, isTooHeavy } from '../../../../../schemas/intelligence/search/cost.ts'
import { readSearch } from '../../../../../schemas/intelligence/search/read-search.ts'
import { heavySearches, tooHeavy } from '../../../../builders/search/heavy.ts'

const many = <T>(n: number, of: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => of(i))

function searchOf(body: object, surface: 'history' | 'entities' = 'history') {
  const read = readSearch(body, { surface, now: 0, sort: { name: '@timestamp', kind: 'date' } })
  if (!read.ok) throw new Error(`${read.param} ${read.message}`)
  return read.search
}

const heavy = (body: object, surface?: 'history' | 'entities'): boolean => isHeavy(searchOf(body, surface))

test('what is looked for by whole values, words and times is light', () => {
  const light: object[] = [
    {},
    {
      query: { must: [{ term: { 'attributes.ip': '198.51.100.1' } }, { range: { '@timestamp': { gte: 'now-7d' } } }] },
    },
    { query: { should: many(3, (i) => ({ match: { 'attributes.*': `word${i}` } })) } },
    { query: { must: [{ terms: { 'attributes.ip': many(9_000, (i) => `v${i}`) } }] } },
    {
      aggs: {
        days: {
          date_histogram: { field: '@timestamp', interval: 'day' },
          aggs: { n: { avg: { field: 'reputation' } } },
        },
      },
    },
  ]
  for (const body of light) expect([body, heavy(body)]).toEqual([body, false])
})

test('patterns, lists of many values and clauses without end are heavy', () => {
  const wild = { wildcard: { 'attributes.text': '*a*' } }
  const bodies: object[] = [
    { query: { must: [wild] } },
    { query: { must_not: [{ bool: { should: [wild] } }] } },
    { aggs: { a: { filter: wild } } },
    { query: { must: many(64, () => ({ exists: { field: 'attributes.country' } })) } },
    { aggs: Object.fromEntries(many(4, (i) => [`a${i}`, { terms: { field: 'tags' } }])) },
  ]
  for (const body of bodies) expect([body, heavy(body)]).toEqual([body, true])
  for (const [surface, body] of heavySearches) expect(heavy(body, surface === '' ? 'entities' : 'history')).toBe(true)
})

test('patterns over every attribute have a bound of their own', () => {
  expect(isTooHeavy(searchOf(tooHeavy))).toBe(true)
  for (const [surface, body] of heavySearches)
    expect(isTooHeavy(searchOf(body, surface === '' ? 'entities' : 'history'))).toBe(false)
})
