import { expect, test } from 'vitest'
import { readAdvanced } from '../../../../../../api/intelligence/services/search/advanced.ts'
import { type FigureFilter, searchLink, searchOf } from '../../../../../../console/src/parts/figures/search-link.ts'

const cases: { name: string; figure: FigureFilter; filter: object[] | null }[] = [
  { name: 'nothing narrows: all there is', figure: {}, filter: null },
  {
    name: 'whole days',
    figure: { seen: { from: '2026-11-01', to: '2026-11-07' } },
    filter: [{ range: { lastSeen: { gte: '2026-11-01', lte: '2026-11-07' } } }],
  },
  {
    name: 'from an instant on',
    figure: { seen: { from: '2026-11-01T10:00:00.000Z' }, malicious: true },
    filter: [{ range: { lastSeen: { gte: '2026-11-01T10:00:00.000Z' } } }, { range: { reputation: { lt: 0 } } }],
  },
  { name: 'not malicious says nothing', figure: { malicious: false }, filter: null },
  {
    name: 'the score of 0',
    figure: { reputation: 0, accuracy: 0 },
    filter: [{ term: { reputation: 0 } }, { term: { accuracy: 0 } }],
  },
  {
    name: 'types, a tag and places, each by the letter',
    figure: { types: ['ip', 'cidr'], tag: 'a&b="c"', country: "Côte d'Ivoire", asn: '64500', aso: 'A & B, Inc.' },
    filter: [
      { terms: { type: ['ip', 'cidr'] } },
      { term: { tags: 'a&b="c"' } },
      { term: { country: "Côte d'Ivoire" } },
      { term: { asn: '64500' } },
      { term: { aso: 'A & B, Inc.' } },
    ],
  },
]

for (const { name, figure, filter } of cases)
  test(`the search of a figure: ${name}`, () => {
    const body = searchOf(figure)
    expect(body).toEqual(filter === null ? {} : { query: { filter } })
    const address = new URL(searchLink(figure), 'http://127.0.0.1')
    expect([address.pathname, address.searchParams.get('mode'), address.searchParams.get('index')]).toEqual([
      '/search',
      'advanced',
      'entities',
    ])
    expect(JSON.parse(address.searchParams.get('dsl') ?? '')).toEqual(body)
    // The platform takes it.
    const paging = { limit: 0, page: 1, sort: '@timestamp', order: 'desc' } as const
    expect(() => readAdvanced(paging, body, { surface: 'entities', now: 0 })).not.toThrow()
  })
