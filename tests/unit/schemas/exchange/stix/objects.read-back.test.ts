import fc from 'fast-check'
import { expect, test } from 'vitest'
import { definitions } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import { anyItem, itemsOf } from '../../../../builders/feeds/catalogue-items.ts'
import { bundleOf, expectedOf, readBack } from '../../../../builders/feeds/read-back.ts'

/** Random entities, written as STIX and read by the import (decisions 15.3). */

test.each(definitions().map(({ type }) => type))('an entity of type %s comes back equal', (type) => {
  fc.assert(
    fc.property(itemsOf(type), (item) => {
      expect(readBack(bundleOf([item]))).toEqual([expectedOf(item)])
    }),
    { numRuns: 30 },
  )
})

test('several entities of one bundle come back equal', () => {
  const several = fc.uniqueArray(anyItem, { maxLength: 12, selector: ({ value }) => value.toLowerCase() })
  fc.assert(
    fc.property(several, (items) => {
      const read = new Map(readBack(bundleOf(items)).map((one) => [`${one.type} ${one.value}`, one]))
      expect(read.size).toBe(items.length)
      for (const item of items) expect(read.get(`${item.type} ${item.value}`)).toEqual(expectedOf(item))
    }),
    { numRuns: 60 },
  )
})
