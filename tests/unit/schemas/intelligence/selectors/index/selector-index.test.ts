import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { selectorIndex } from '../../../../../../schemas/intelligence/selectors/index/selector-index.ts'
import type { SelectorView } from '../../../../../../schemas/intelligence/selectors/selector.ts'
import { selectorBodies, views } from '../../../../../builders/intelligence/selectors/generated.ts'
import { compiled, view } from '../../../../../builders/intelligence/selectors/view.ts'

const bodies = fc.array(selectorBodies, { minLength: 1, maxLength: 30 })

describe('candidates', () => {
  test('are every selector that holds, each once, whatever was added, replaced and removed before', () => {
    const steps = fc.array(fc.tuple(fc.nat(20), fc.option(selectorBodies, { freq: 3 })), { maxLength: 60 })
    fc.assert(
      fc.property(steps, fc.array(views, { minLength: 1, maxLength: 10 }), (given, seen) => {
        const index = selectorIndex<number>()
        const there = new Map<number, ReturnType<typeof compiled>>()
        for (const [id, body] of given)
          if (body === null) {
            index.remove(id)
            there.delete(id)
          } else {
            index.add(id, compiled(body))
            there.set(id, compiled(body))
          }
        for (const one of seen) {
          const candidates = [...index.candidates(one)]
          expect(new Set(candidates).size).toBe(candidates.length)
          expect(candidates.filter((id) => !there.has(id))).toEqual([])
          const holding = [...there].filter(([, selector]) => selector.holdsAtAnyTime(one)).map(([id]) => id)
          expect(holding.filter((id) => !candidates.includes(id))).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
  })

  test('are none once all selectors are removed', () => {
    fc.assert(
      fc.property(bodies, views, (given, one) => {
        const index = selectorIndex(given.map((body, id) => [id, compiled(body)] as const))
        for (const id of given.keys()) index.remove(id)
        expect([...index.candidates(one)]).toEqual([])
      }),
    )
  })

  test.each<[string, unknown, Partial<SelectorView>, Partial<SelectorView>]>([
    ['a value', { value: { in: ['198.51.100.1'] } }, { value: '198.51.100.1' }, { value: '198.51.100.2' }],
    [
      'a suffix',
      { types: ['domain'], value: { suffix: 'example.com' } },
      { type: 'domain', value: 'a.example.com' },
      { type: 'domain', value: 'badexample.com' },
    ],
    ['a network', { cidr: '198.51.100.0/24' }, { value: '198.51.100.1' }, { value: '198.51.101.1' }],
    [
      'a network of IPv6',
      { cidr: '2001:db8::/33' },
      { type: 'cidr', value: '2001:db8:7f00::/40' },
      { type: 'cidr', value: '2001:db8::/32' },
    ],
    ['a number', { asn: 15_169 }, { asn: 15_169 }, { asn: 64_500 }],
    ['a prefix', { value: { prefix: '198.51.' } }, { value: '198.51.100.1' }, { value: '198.5.1.1' }],
    ['a tag', { tags: { any: ['apt', 'bot'] } }, { tags: ['bot'] }, { tags: ['x'] }],
    ['all tags', { tags: { all: ['apt', 'bot'] } }, { tags: ['apt', 'bot'] }, { tags: ['x'] }],
    ['a country', { country: 'France' }, { country: 'France' }, { country: 'Kenya' }],
    ['a type', { types: ['ip'] }, {}, { type: 'domain', value: 'example.com' }],
    ['a sign', { reputation: { lte: -1 } }, { reputation: -1 }, { reputation: 1 }],
    ['a type and a sign', { types: ['ip'], reputation: { gte: 1 } }, { reputation: 2 }, { reputation: -2 }],
  ])('by %s are those that it concerns, and no others', (_, body, inside, outside) => {
    const index = selectorIndex([['id', compiled(body)]])
    expect([...index.candidates(view(inside))]).toEqual(['id'])
    expect([...index.candidates(view(outside))]).toEqual([])
  })

  test('are none for what is retracted', () => {
    expect([...selectorIndex([[1, compiled({})]]).candidates(view({ retracted: true }))]).toEqual([])
  })
})
