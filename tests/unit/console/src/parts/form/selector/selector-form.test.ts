import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  fieldsOf,
  NO_FIELDS,
  type Selector,
  selectorOf,
  USUAL,
} from '../../../../../../../console/src/parts/form/selector/selector-form.ts'
import { readSelector } from '../../../../../../../schemas/intelligence/selectors/read.ts'
import { selectorBodies } from '../../../../../../builders/intelligence/selectors/generated.ts'

test('empty fields are no part of a selector', () => {
  expect(selectorOf(NO_FIELDS)).toEqual({ wellKnown: false })
  expect(readSelector(selectorOf(NO_FIELDS)).ok).toBe(true)
  expect(readSelector(selectorOf(USUAL)).ok).toBe(true)
})

test('each field is its part', () => {
  const fields = {
    types: ['ip'],
    worst: -3,
    best: 0,
    accuracy: 2,
    accuracyTo: 3,
    anyTags: ['a'],
    allTags: ['b'],
    noTags: ['c'],
    values: ' 8.8.8.8 \n\n9.9.9.9',
    prefix: ' 8. ',
    suffix: 'example.com ',
    cidr: ['8.0.0.0/8'],
    country: ['Germany'],
    asn: ['AS64500'],
    seenWithin: ' 30d ',
    wellKnown: 'any',
  } as const
  expect(selectorOf(fields as never)).toEqual({
    types: ['ip'],
    reputation: { gte: -3, lte: 0 },
    accuracy: { gte: 2, lte: 3 },
    tags: { any: ['a'], all: ['b'], none: ['c'] },
    value: { in: ['8.8.8.8', '9.9.9.9'], prefix: '8. ', suffix: 'example.com' },
    cidr: ['8.0.0.0/8'],
    country: ['Germany'],
    asn: ['AS64500'],
    seenWithin: '30d',
    wellKnown: 'any',
  })
})

test('what the platform keeps reads as the same selector, whatever it has', () => {
  fc.assert(
    fc.property(selectorBodies, (body) => {
      const read = readSelector(body)
      if (!read.ok) return
      const again = readSelector(selectorOf(fieldsOf(read.selector as unknown as Selector)))
      expect(again).toEqual(read)
    }),
  )
})
