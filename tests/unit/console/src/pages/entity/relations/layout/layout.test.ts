import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MOST_WIDTH, shortLabel } from '../../../../../../../../console/src/pages/entity/relations/layout/label.ts'
import {
  type Box,
  type Form,
  layout,
} from '../../../../../../../../console/src/pages/entity/relations/layout/layout.ts'
import { REACH } from '../../../../../../../../console/src/pages/entity/relations/layout/sizes.ts'

const value = fc.oneof(
  fc.string({ maxLength: 400, unit: 'grapheme' }),
  fc.domain(),
  fc.ipV6(),
  fc.constant('f'.repeat(64)),
  fc.constant('例'.repeat(80)),
)
/** A tree with its nodes in any order of levels that has parents first, at most three steps deep. */
const graphs = fc.array(fc.tuple(fc.nat(), value), { minLength: 0, maxLength: 120 }).map((rest) => {
  const nodes = [{ id: 'n0', value: 'root.example.org', level: 0, parent: null as string | null }]
  for (const [pick, value] of rest) {
    const inner = nodes.filter(({ level }) => level < 3)
    const parent = inner[pick % inner.length]!
    nodes.push({ id: `n${nodes.length}`, value, level: parent.level + 1, parent: parent.id })
  }
  return nodes
})
const forms: Form[] = ['branches', 'rows']

const meet = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

describe.each(forms)('a graph as %s', (form) => {
  test('has every node once, and no label meets another label or a mark', () => {
    fc.assert(
      fc.property(graphs, (nodes) => {
        const { nodes: laid, box } = layout(nodes, form)
        expect(laid.map(({ id }) => id).sort()).toEqual(nodes.map(({ id }) => id).sort())
        const marks = laid.map(({ x, y }) => ({ x: x - REACH, y: y - REACH, width: 2 * REACH, height: 2 * REACH }))
        const labels = laid.map(({ label }) => label.box)
        for (let i = 0; i < laid.length; i++)
          for (let j = 0; j < laid.length; j++) {
            expect(meet(labels[i]!, marks[j]!)).toBe(false)
            if (i === j) continue
            expect(meet(labels[i]!, labels[j]!)).toBe(false)
            expect(meet(marks[i]!, marks[j]!)).toBe(false)
          }
        for (const { x, y, width, height } of [...marks, ...labels]) {
          expect(Math.min(x - box.x, y - box.y)).toBeGreaterThanOrEqual(-1e-6)
          expect(Math.max(x + width - box.x - box.width, y + height - box.y - box.height)).toBeLessThanOrEqual(1e-6)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('is the same each time', () => {
    fc.assert(
      fc.property(graphs, (nodes) => {
        expect(layout(structuredClone(nodes), form)).toEqual(layout(nodes, form))
      }),
      { numRuns: 10 },
    )
  })

  test('of nothing is nothing', () => {
    expect(layout([], form).nodes).toEqual([])
  })
})

test('what is expanded moves nothing to the other side', () => {
  const nodes = [
    { id: 'root', value: 'root', level: 0, parent: null },
    ...['a', 'b', 'c', 'd'].map((id) => ({ id, value: id, level: 1, parent: 'root' })),
  ]
  const more = [...nodes, ...['x', 'y', 'z'].map((id) => ({ id, value: id, level: 2, parent: 'b' }))]
  const side = (id: string, of: typeof nodes) =>
    Math.sign(layout(of, 'branches').nodes.find((node) => node.id === id)!.x)
  for (const id of ['a', 'b', 'c', 'd']) expect(side(id, more)).toBe(side(id, nodes))
  expect(['a', 'b', 'c', 'd'].map((id) => side(id, nodes))).toEqual([1, -1, 1, -1])
  expect(['x', 'y', 'z'].map((id) => side(id, more))).toEqual([-1, -1, -1])
})

test('in rows a node stands below the one that it hangs on, and farther right', () => {
  const nodes = [
    { id: 'root', value: 'root', level: 0, parent: null },
    { id: 'a', value: 'a', level: 1, parent: 'root' },
    { id: 'b', value: 'b', level: 1, parent: 'root' },
    { id: 'a1', value: 'a1', level: 2, parent: 'a' },
  ]
  const { nodes: laid } = layout(nodes, 'rows')
  expect(laid.map(({ id }) => id)).toEqual(['root', 'a', 'a1', 'b'])
  expect(laid.map(({ x }) => x)).toEqual([0, 36, 72, 36])
})

describe('a label', () => {
  test('is the value where that fits, and both ends of it where not', () => {
    expect(shortLabel('evil.example.org').text).toBe('evil.example.org')
    const digest = shortLabel(`abcdef${'0'.repeat(52)}fedcba`).text
    expect(digest).toMatch(/^abcdef0+…0+fedcba$/)
    expect(digest.length).toBe(26)
  })

  test('is never wider than its room, and has no control characters', () => {
    fc.assert(
      fc.property(value, (value) => {
        const { text, width } = shortLabel(value)
        expect(width).toBeLessThanOrEqual(MOST_WIDTH + 1e-6)
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      }),
    )
    expect(shortLabel('gpj.‮exe').text).toBe('gpj. exe')
  })
})
