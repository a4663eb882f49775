import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { graphQuery } from '../../../../../../console/src/pages/entity/relations/graph-query.ts'
import { markOf } from '../../../../../../console/src/pages/entity/relations/marks.ts'
import {
  filterAnswer,
  filterOf,
  relationQuery,
} from '../../../../../../console/src/pages/entity/relations/relation-filter.ts'
import { rings } from '../../../../../../console/src/pages/entity/relations/rings.ts'

describe('the place of each node', () => {
  const distance = ({ x, y }: { x: number; y: number }) => Math.hypot(x, y)

  test('the entity is in the middle, others farther out with each step, near to what they hang on', () => {
    const nodes = [
      { id: 'root', level: 0 },
      { id: 'a', level: 1 },
      { id: 'b', level: 1 },
      { id: 'a1', level: 2 },
    ]
    const links = [
      { source: 'root', target: 'a' },
      { source: 'b', target: 'root' },
      { source: 'a1', target: 'a' },
    ]
    const { positions: placed } = rings(nodes, links, 1)
    const of = (id: string) => placed.find((place) => place.id === id)!
    expect(distance(of('root'))).toBe(0)
    expect(distance(of('a1'))).toBeGreaterThan(distance(of('a')))
    expect(of('a1').angle).toBeCloseTo(of('a').angle)
    expect(of('a').angle).not.toBeCloseTo(of('b').angle)
  })

  test('of any graph every node is placed once, within the radius, and none on another', () => {
    const graphs = fc.array(fc.tuple(fc.nat({ max: 2 }), fc.nat()), { maxLength: 299 }).map((rest) => {
      const nodes = [{ id: 'n0', level: 0 }, ...rest.map(([level, _], i) => ({ id: `n${i + 1}`, level: level + 1 }))]
      const links = rest.map(([, near], i) => ({ source: `n${i + 1}`, target: `n${near % nodes.length}` }))
      return { nodes, links }
    })
    fc.assert(
      fc.property(graphs, ({ nodes, links }) => {
        const { positions: placed, radius } = rings(nodes, links, 4)
        expect(new Set(placed.map(({ id }) => id)).size).toBe(nodes.length)
        expect(placed).toHaveLength(nodes.length)
        expect(Math.max(...placed.map(distance))).toBeLessThanOrEqual(radius + 1e-6)
        expect(new Set(placed.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)).size).toBe(nodes.length)
      }),
      { numRuns: 50 },
    )
  })

  test('nothing is drawn of nothing', () => {
    expect(rings([], [], 4)).toEqual({ positions: [], radius: 0 })
  })
})

test('an address asks for a graph of the sizes that there are', () => {
  expect(graphQuery(new URLSearchParams('levels=2&nodes=300'))).toEqual({ levels: 2, limit: 300 })
  expect(graphQuery(new URLSearchParams('levels=9&nodes=100000'))).toEqual({ levels: 1, limit: 50 })
})

test('types of one kind have one mark', () => {
  expect(['ip', 'domain', 'url', 'sha256', 'sha3-256', 'payload', 'person'].map(markOf)).toEqual([
    'circle',
    'square',
    'square',
    'diamond',
    'diamond',
    'diamond',
    'hexagon',
  ])
})

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
