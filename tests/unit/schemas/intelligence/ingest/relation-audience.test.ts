import fc from 'fast-check'
import { expect, test } from 'vitest'
import { relationAudience } from '../../../../../schemas/intelligence/ingest/relation-audience.ts'

const cases: {
  name: string
  stated: string[]
  knownTo: string[][]
  asked?: string[] | null
  unasked: string[] | null
}[] = [
  {
    name: 'both public',
    stated: ['public'],
    knownTo: [['public'], ['public']],
    asked: ['public'],
    unasked: ['public'],
  },
  {
    name: 'one private, public asked',
    stated: ['public'],
    knownTo: [['blue'], ['public']],
    asked: null,
    unasked: null,
  },
  {
    name: 'one private, the other public',
    stated: ['blue', 'public'],
    knownTo: [['blue'], ['public']],
    asked: null,
    unasked: ['blue'],
  },
  {
    name: 'both of one group',
    stated: ['blue'],
    knownTo: [['blue', 'red'], ['blue']],
    asked: ['blue'],
    unasked: ['blue'],
  },
  {
    name: 'one group of two reads both',
    stated: ['blue', 'red'],
    knownTo: [['blue', 'red'], ['blue']],
    asked: null,
    unasked: ['blue'],
  },
  { name: 'no group reads both', stated: ['blue', 'red'], knownTo: [['blue'], ['red']], asked: null, unasked: null },
  {
    name: 'public among those who read',
    stated: ['blue', 'public'],
    knownTo: [['public', 'blue'], ['public']],
    asked: ['public'],
    unasked: ['public'],
  },
  { name: 'nobody asked', stated: [], knownTo: [['public'], ['public']], asked: null, unasked: null },
]

test.each(cases)('$name', ({ stated, knownTo, asked, unasked }) => {
  const known = knownTo.map((groups) => new Set(groups))
  expect(relationAudience(stated, known, true)).toEqual(asked)
  expect(relationAudience(stated, known, false)).toEqual(unasked)
})

test('nobody is told who could not read both ends', () => {
  const groups = fc.uniqueArray(fc.constantFrom('public', 'blue', 'red', 'green'))
  fc.assert(
    fc.property(groups, groups, groups, fc.boolean(), (stated, one, other, exact) => {
      const told = relationAudience(stated, [new Set(one), new Set(other)], exact) ?? []
      for (const reader of [[], ['blue'], ['red'], ['green']]) {
        const reads = (of: readonly string[]) => of.some((group) => group === 'public' || reader.includes(group))
        if (reads(told)) expect([reads(one), reads(other)]).toEqual([true, true])
      }
    }),
  )
})
