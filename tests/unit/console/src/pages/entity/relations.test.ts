import { describe, expect, test } from 'vitest'
import {
  filterAnswer,
  filterOf,
  relationQuery,
} from '../../../../../../console/src/pages/entity/relations/relation-filter.ts'

describe('relations of one kind', () => {
  const relation = (n: number, mode: 'aggregation' | 'association') => ({ id: `r${n}`, mode }) as never
  const results = Array.from({ length: 60 }, (_, n) => relation(n, n % 2 === 0 ? 'aggregation' : 'association'))

  test('the address says types and kind; what is none is left out', () => {
    expect(filterOf(new URLSearchParams('types=ip,nonsense,domain&mode=aggregation'), 2)).toEqual({
      types: ['ip', 'domain'],
      mode: 'aggregation',
      page: 2,
    })
    expect(filterOf(new URLSearchParams('mode=other'), 1)).toEqual({ types: [], mode: null, page: 1 })
  })

  test('without a kind the platform pages; with one the newest thousand are paged here', () => {
    expect(relationQuery({ types: ['ip'], mode: null, page: 3 })).toEqual({ types: 'ip', page: 3, limit: 25 })
    expect(relationQuery({ types: [], mode: 'aggregation', page: 3 })).toEqual({ page: 1, limit: 1_000 })
    const answer = { items: 60, pages: 3, results }
    expect(filterAnswer({ types: [], mode: null, page: 1 }, answer)).toEqual({ ...answer, cut: false })
    const second = filterAnswer({ types: [], mode: 'aggregation', page: 2 }, answer)
    expect([second.items, second.pages, second.results.length, second.cut]).toEqual([30, 2, 5, false])
    expect(filterAnswer({ types: [], mode: 'aggregation', page: 1 }, { ...answer, items: 61 }).cut).toBe(true)
  })
})
