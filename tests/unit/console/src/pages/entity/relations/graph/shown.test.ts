import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Graph } from '../../../../../../../../console/src/pages/entity/answers.ts'
import { MOST_OF_ONE, shownGraph } from '../../../../../../../../console/src/pages/entity/relations/graph/shown.ts'

const node = (id: string, level = 1) => ({ id, type: 'ip', value: id, reputation: 0, accuracy: 0, tags: [], level })
const link = (source: string, target: string): Graph['relations'][number] => ({
  source,
  target,
  mode: 'association',
  type: 'association',
  relationships: [],
  lastSeen: '2026-11-27T00:00:00.000Z',
})
/** An answer around `id`: it, and these neighbours. */
const around = (id: string, ids: readonly string[]): Graph => ({
  nodes: [node(id, 0), ...ids.map((other) => node(other))],
  relations: ids.map((other, i) => (i % 2 === 0 ? link(id, other) : link(other, id))),
  depth: 1,
  truncated: false,
})
const ids = (shown: { nodes: readonly { id: string }[] }) => shown.nodes.map(({ id }) => id)

test('a node that is expanded brings what is around it, and takes it away when it is folded', () => {
  const answers = [around('root', ['a', 'b']), around('a', ['root', 'c', 'b']), around('c', ['a', 'd'])]
  const open = (...those: string[]) =>
    shownGraph({ root: 'root', answers, isOpen: (id) => those.includes(id), most: 50 })
  expect(ids(open())).toEqual(['root', 'a', 'b'])
  // The two that say the same in both directions, and those of b.
  expect(open().relations).toHaveLength(4)
  expect(ids(open('a'))).toEqual(['root', 'a', 'b', 'c'])
  expect(open('a').nodes.map(({ level, parent }) => [level, parent])).toEqual([
    [0, null],
    [1, 'root'],
    [1, 'root'],
    [2, 'a'],
  ])
  // Of c alone nothing is shown: it is not there itself.
  expect(ids(open('c'))).toEqual(['root', 'a', 'b'])
  expect(ids(open('a', 'c'))).toEqual(['root', 'a', 'b', 'c', 'd'])
})

test('three steps away is the end', () => {
  const answers = [around('0', ['1']), around('1', ['2']), around('2', ['3']), around('3', ['4'])]
  const shown = shownGraph({ root: '0', answers, isOpen: () => true, most: 50 })
  expect(ids(shown)).toEqual(['0', '1', '2', '3'])
  expect(shown.nodes.map(({ open }) => open)).toEqual([true, true, true, false])
})

test('says how many it leaves out, of each node and altogether', () => {
  const many = Array.from({ length: MOST_OF_ONE + 12 }, (_, i) => `m${i}`)
  const answers = [around('root', ['a', 'b', 'c']), around('a', ['root', ...many]), around('b', ['root', ...many])]
  const one = shownGraph({ root: 'root', answers, isOpen: (id) => id === 'a', most: 50 })
  expect(one.nodes).toHaveLength(4 + MOST_OF_ONE)
  expect(one.nodes.map(({ more }) => more).slice(0, 4)).toEqual([0, 12, 0, 0])
  expect(one.hidden).toBe(12)
  // The other one brings what the first left out.
  const two = shownGraph({ root: 'root', answers, isOpen: (id) => id === 'a' || id === 'b', most: 50 })
  expect([two.nodes.length, two.hidden]).toEqual([4 + many.length, 0])
  const few = shownGraph({ root: 'root', answers, isOpen: () => false, most: 2 })
  expect([ids(few), few.nodes[0]!.more, few.hidden]).toEqual([['root', 'a'], 2, 2])
})

test('of any graph: within its bounds, parents first, and nothing that hangs on nothing', () => {
  const links = fc.array(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 40 })), { maxLength: 200 })
  fc.assert(
    fc.property(links, fc.integer({ min: 1, max: 60 }), fc.nat(), (pairs, most, salt) => {
      const all = Array.from({ length: 41 }, (_, i) => node(`n${i}`, i === 0 ? 0 : 1))
      const relations = pairs.map(([a, b]) => link(`n${a}`, `n${b}`))
      const answers = [{ nodes: all, relations, depth: 1, truncated: false }]
      const isOpen = (id: string) => (Number(id.slice(1)) * 7 + salt) % 3 !== 0
      const shown = shownGraph({ root: 'n0', answers, isOpen, most })
      expect(shown.nodes.length).toBeLessThanOrEqual(most)
      expect(new Set(ids(shown)).size).toBe(shown.nodes.length)
      shown.nodes.forEach(({ parent, level }, i) => {
        if (i === 0) return
        const place = shown.nodes.findIndex(({ id }) => id === parent)
        expect(place).toBeGreaterThanOrEqual(0)
        expect(place).toBeLessThan(i)
        expect(shown.nodes[place]!.open).toBe(true)
        expect(level).toBe(shown.nodes[place]!.level + 1)
      })
      for (const { source, target } of shown.relations)
        expect(ids(shown)).toEqual(expect.arrayContaining([source, target]))
    }),
    { numRuns: 100 },
  )
})

test('while there is no answer there is nothing', () => {
  expect(shownGraph({ root: 'root', answers: [], isOpen: () => true, most: 5 }).nodes).toEqual([])
})
