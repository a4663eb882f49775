import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Surroundings, walk } from '../../../../../../api/intelligence/services/entity/relation-graph.ts'

/** A graph in memory: neighbours in the order of preference; `hidden` may be linked to and are not to be seen. */
const graph = (
  links: Record<string, string[]>,
  { hidden = [], cut = false }: { hidden?: string[]; cut?: boolean } = {},
): Surroundings<string> & { asked: string[][] } => {
  const asked: string[][] = []
  return {
    asked,
    neighbours: async (ids) => {
      asked.push([...ids])
      return { ids: ids.flatMap((id) => links[id] ?? []), cut }
    },
    views: async (ids) => new Map(ids.filter((id) => !hidden.includes(id)).map((id) => [id, id.toUpperCase()])),
  }
}

const levelsOf = (walked: Awaited<ReturnType<typeof walk>>) =>
  [...walked.nodes].map(([id, { level }]) => `${id}${level}`).join(' ')

const A = { id: 'a', view: 'A' }
const chain = { a: ['b'], b: ['a', 'c'], c: ['b', 'd'], d: ['c'] }
const star = { a: ['b', 'c', 'd'], b: ['a'], c: ['a'], d: ['a'] }

describe('a walk', () => {
  type Case = {
    name: string
    links: Record<string, string[]>
    bounds: { levels: number; limit: number }
    nodes: string
    cut?: boolean
  }
  const cases: Case[] = [
    { name: 'goes as far as it may', links: chain, bounds: { levels: 2, limit: 10 }, nodes: 'a0 b1 c2', cut: false },
    { name: 'ends where nothing is left', links: chain, bounds: { levels: 3, limit: 10 }, nodes: 'a0 b1 c2 d3' },
    {
      name: 'keeps the preferred and says so',
      links: star,
      bounds: { levels: 1, limit: 3 },
      nodes: 'a0 b1 c1',
      cut: true,
    },
    { name: 'is not cut by what just fits', links: star, bounds: { levels: 1, limit: 4 }, nodes: 'a0 b1 c1 d1' },
    { name: 'of one node has the root', links: star, bounds: { levels: 1, limit: 1 }, nodes: 'a0', cut: true },
    { name: 'of something alone is not cut', links: {}, bounds: { levels: 3, limit: 1 }, nodes: 'a0' },
    {
      name: 'knows what is missing one level further',
      links: chain,
      bounds: { levels: 3, limit: 2 },
      nodes: 'a0 b1',
      cut: true,
    },
    {
      name: 'takes the shortest way',
      links: { a: ['b', 'c'], b: ['a', 'c'], c: ['a', 'b'] },
      bounds: { levels: 3, limit: 9 },
      nodes: 'a0 b1 c1',
    },
  ]
  test.each(cases)('$name', async ({ links, bounds, nodes, cut = false }) => {
    const walked = await walk(A, bounds, graph(links))
    expect([levelsOf(walked), walked.truncated]).toEqual([nodes, cut])
  })

  test('does not lead through what is not to be seen, and tells nothing of it', async () => {
    const surroundings = graph(chain, { hidden: ['b'] })
    const walked = await walk(A, { levels: 3, limit: 1 }, surroundings)
    expect([levelsOf(walked), walked.truncated]).toEqual(['a0', false])
    expect(surroundings.asked).toEqual([['a']])
  })

  test('is cut when its neighbours were', async () => {
    expect((await walk(A, { levels: 1, limit: 9 }, graph(star, { cut: true }))).truncated).toBe(true)
  })

  test('looks at thousands of neighbours in portions', async () => {
    const many = Array.from({ length: 1_234 }, (_, i) => `n${i}`)
    const walked = await walk(A, { levels: 1, limit: 5_000 }, graph({ a: many }))
    expect([...walked!.nodes.keys()]).toEqual(['a', ...many])
  })

  test('has the distance of every node, whatever the graph', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const some = fc.uniqueArray(fc.constantFrom(...names))
    const links = fc.record(Object.fromEntries(names.map((name) => [name, some])))
    await fc.assert(
      fc.asyncProperty(links, fc.integer({ min: 1, max: 3 }), async (given, levels) => {
        const walked = await walk(A, { levels, limit: 9 }, graph(given))
        const distance: Record<string, number> = { a: 0 }
        // Relaxed as often as there are nodes: another way to the same distances.
        for (const _ of names)
          for (const from of names)
            for (const to of given[from]!)
              distance[to] = Math.min(
                distance[to] ?? Number.POSITIVE_INFINITY,
                (distance[from] ?? Number.NaN) + 1 || 99,
              )
        const near = Object.entries(distance).filter(([, steps]) => steps <= levels)
        const told = [...walked!.nodes].map(([id, { level }]) => [id, level])
        expect(Object.fromEntries(told)).toEqual(Object.fromEntries(near))
      }),
    )
  })
})
