import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { SelectorBody } from '../../../../../schemas/intelligence/selectors/selector-schema.ts'
import { selectorBodies } from '../../../../builders/intelligence/selectors/generated.ts'
import { selectorOf } from '../../../../builders/intelligence/selectors/view.ts'

const documented = Compile(SelectorBody)

test('the document of the API allows every selector that is read, and its normal form', () => {
  fc.assert(
    fc.property(selectorBodies, (body) => {
      expect(documented.Check(body)).toBe(true)
      expect(documented.Check(selectorOf(body))).toBe(true)
    }),
  )
})

test.each([
  { tag: 'apt' },
  { reputation: {} },
  { reputation: { gte: -4 } },
  { tags: { any: [] } },
  { value: {} },
  { types: [] },
  { cidr: [] },
  { seenWithin: '5m' },
  { wellKnown: 'true' },
])('it does not allow %j', (body) => {
  expect(documented.Check(body)).toBe(false)
})
