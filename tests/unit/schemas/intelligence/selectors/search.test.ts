import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSearch } from '../../../../../schemas/intelligence/search/read-search.ts'
import { searchOfSelector } from '../../../../../schemas/intelligence/selectors/search.ts'
import { NOW } from '../../../../builders/intelligence/observation.ts'
import { selectorBodies } from '../../../../builders/intelligence/selectors/generated.ts'
import { selectorOf } from '../../../../builders/intelligence/selectors/view.ts'

const SORT = { name: 'lastSeen', kind: 'date' } as const
const UNMARKED = [{ term: { wellKnown: true } }, { term: { covered: true } }]
const search = (body: unknown, now?: number) => searchOfSelector(selectorOf(body), now)

test('every selector is a search of current entities that is read', () => {
  fc.assert(
    fc.property(selectorBodies, fc.constantFrom(undefined, NOW), (body, now) => {
      const asked = JSON.parse(JSON.stringify(search(body, now)))
      expect(readSearch(asked, { surface: 'entities', now: NOW, sort: SORT })).toMatchObject({ ok: true })
    }),
  )
})

test('a selector with every list full stays within the bounds of a search', () => {
  const many = <T>(n: number, of: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => of(i))
  const body = {
    types: ['ip', 'cidr'],
    tags: { any: many(100, (i) => `a${i}`), all: many(100, (i) => `b${i}`), none: many(100, (i) => `c${i}`) },
    value: { in: many(10_000, (i) => `198.51.${i >> 8}.${i & 255}/32`), prefix: 'HTTP://A', suffix: 'example.com' },
    cidr: many(50, (i) => `198.51.${i}.0/24`),
    wellKnown: true,
  }
  expect(readSearch(search(body), { surface: 'entities', now: NOW, sort: SORT })).toMatchObject({ ok: true })
})

test('the empty selector asks for everything that is not well known', () => {
  expect(search({})).toEqual({ query: { filter: [], must_not: UNMARKED } })
})

test.each<[string, object, object]>([
  ['well-known entities', { wellKnown: true }, { filter: [{ bool: { should: UNMARKED } }], must_not: [] }],
  ['either', { wellKnown: 'any' }, { filter: [], must_not: [] }],
  [
    'tags',
    { wellKnown: 'any', tags: { any: ['a', 'b'], all: ['c', 'd'], none: ['e'] } },
    {
      filter: [{ terms: { tags: ['a', 'b'] } }, { term: { tags: 'c' } }, { term: { tags: 'd' } }],
      must_not: [{ terms: { tags: ['e'] } }],
    },
  ],
  [
    'values whole, networks by what is inside',
    { wellKnown: 'any', value: { in: ['198.51.100.0/24'] }, cidr: '198.51.0.0/16' },
    {
      filter: [
        { terms: { 'value.keyword': ['198.51.100.0/24'] } },
        { terms: { type: ['ip', 'cidr'] } },
        { terms: { value: ['198.51.0.0/16'] } },
      ],
      must_not: [],
    },
  ],
])('%s', (_, body, query) => {
  expect(search(body)).toEqual({ query })
})

test('a window is that of the search, or ends at a moment', () => {
  const since = (now?: number) => search({ wellKnown: 'any', seenWithin: '7d' }, now).query.filter
  expect(since()).toEqual([{ range: { lastSeen: { gt: 'now-7d' } } }])
  expect(since(NOW)).toEqual([{ range: { lastSeen: { gt: NOW - 7 * 86_400_000 } } }])
})
