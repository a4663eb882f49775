import fc from 'fast-check'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { bodyCheck, shrinkToFault, unshifted } from '../../../../api/http/validation.ts'

const Body = Type.Object(
  {
    items: Type.Optional(
      Type.Array(
        Type.Object({ at: Type.Integer(), tags: Type.Array(Type.String({ maxLength: 3 }), { maxItems: 40 }) }),
        {
          maxItems: 200,
        },
      ),
    ),
    text: Type.Optional(Type.String({ maxLength: 10, pattern: '^(a\\.?)*$' })),
    end: Type.Optional(Type.String({ pattern: 'end$' })),
    once: Type.Optional(Type.Array(Type.String(), { uniqueItems: true })),
  },
  { additionalProperties: false },
)
const check = bodyCheck(Body)
const item = (at: unknown, tags: unknown[] = []) => ({ at, tags })
const items = (length: number, of = (i: number): unknown => item(i)) => Array.from({ length }, (_, i) => of(i))

const refused: { name: string; body: unknown; says: string }[] = [
  {
    name: 'the one item that is wrong',
    body: { items: items(150, (i) => item(i === 120 ? 'x' : i)) },
    says: 'items[120].at: must be integer',
  },
  { name: 'the first one', body: { items: items(150, () => item('x')) }, says: 'items[0].at: must be integer' },
  {
    name: 'the last one',
    body: { items: items(150, (i) => item(i === 149 ? 'x' : i)) },
    says: 'items[149].at: must be integer',
  },
  {
    name: 'an item in an item',
    body: {
      items: items(90, (i) =>
        item(
          i,
          items(30, (k) => (i === 70 && k === 25 ? 'long' : 'a')),
        ),
      ),
    },
    says: 'items[70].tags[25]: must not have more than 3 characters',
  },
  { name: 'an item too many', body: { items: items(5_000) }, says: 'items: must not have more than 200 items' },
  {
    name: 'an item too many in an item',
    body: {
      items: items(100, (i) =>
        item(
          i,
          items(i === 60 ? 41 : 40, () => 'a'),
        ),
      ),
    },
    says: 'items[60].tags: must not have more than 40 items',
  },
  {
    name: 'what is there twice',
    body: { once: [...items(300, String), '150'] },
    says: 'once: must not have duplicate items',
  },
  { name: 'a text too long', body: { text: 'a.'.repeat(50_000) }, says: 'text: must not have more than 10 characters' },
  { name: 'a field beside long lists', body: { items: items(200), other: 1 }, says: 'other: unknown body field' },
]
for (const { name, body, says } of refused)
  test(`a refusal names ${name}`, () =>
    expect(() => check(body)).toThrow(new RegExp(`^${says.replaceAll(/[[\].]/g, '\\$&')}$`)))

test('a text that a pattern takes as a whole is looked at as a whole', () => {
  const long = `${'a'.repeat(10_000)}end`
  expect(check({ end: long })).toEqual({ end: long })
  expect(() => check({ end: long, other: 1 })).toThrow(/^other: unknown body field$/)
})

test('of a tree of short lists little is left', () => {
  const Tree = Type.Cyclic(
    { Node: Type.Object({ at: Type.Integer(), nodes: Type.Array(Type.Ref('Node'), { maxItems: 20 }) }) },
    'Node',
  )
  const validator = Compile(Tree)
  const tree = (depth: number): unknown => ({ at: depth, nodes: depth === 0 ? [] : items(10, () => tree(depth - 1)) })
  const body = {
    at: 0,
    nodes: [...items(9, () => tree(3)), { at: 0, nodes: items(10, (i) => ({ at: i === 7 ? 'x' : i, nodes: [] })) }],
  }
  const { value, shifts } = shrinkToFault(body, (cut) => validator.Check(cut))
  expect(JSON.stringify(value).length).toBeLessThan(200)
  expect(unshifted('/nodes/0/nodes/0/at', shifts)).toBe('/nodes/9/nodes/7/at')
})

test('two of a kind are no list that is too long', () =>
  expect(() => check({ once: ['a', 'a'] })).toThrow(/^once: must not have duplicate items$/))

test('what is named is a fault, wherever it is', () => {
  const tags = fc.array(fc.oneof({ weight: 30, arbitrary: fc.constant('a') }, fc.constant('long'), fc.constant(1)), {
    maxLength: 60,
  })
  const list = fc.array(fc.record({ at: fc.oneof({ weight: 60, arbitrary: fc.integer() }, fc.constant('x')), tags }), {
    maxLength: 250,
  })
  const validator = Compile(Body)
  fc.assert(
    fc.property(list, (given) => {
      if (validator.Check({ items: given })) return
      const [, index, tag] = (() => {
        try {
          check({ items: structuredClone(given) })
          return expect.unreachable()
        } catch (error) {
          return /^items(?:\[(\d+)\](?:\.tags(?:\[(\d+)\])?|\.at))?: /.exec((error as Error).message)!
        }
      })()
      if (index === undefined) return expect(given.length).toBeGreaterThan(200)
      const named = given[Number(index)]!
      expect(validator.Check({ items: [named] })).toBe(false)
      if (tag !== undefined)
        expect(validator.Check({ items: [{ at: 1, tags: [named.tags[Number(tag)]] }] })).toBe(false)
    }),
    { numRuns: 200 },
  )
})
