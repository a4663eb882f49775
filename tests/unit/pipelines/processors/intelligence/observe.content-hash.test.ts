import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentHash } from '../../../../../pipelines/processors/intelligence/observe.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { observation } from '../../../../builders/intelligence/observation.ts'

/** The hash as it is defined: rows that are stored hold it. */
function defined({ kind, reputation, tags, attributes, covers }: Observation): bigint {
  const named = Object.keys(attributes)
    .sort()
    .map((name) => [name, attributes[name]])
  const said = JSON.stringify([kind, reputation, tags, named, ...(covers ? ['covers'] : [])])
  return hash('sha1', said, 'buffer').readBigUInt64BE(0)
}

/** Texts that could be taken for each other where one ends and the next begins. */
const word = fc.string({ unit: fc.constantFrom('a', ' ', '1', '2', '\ud800', 'ü'), maxLength: 6 })
const content = fc.record({
  kind: fc.constantFrom('report' as const, 'well_known' as const),
  reputation: fc.option(fc.integer({ min: -3, max: 3 })),
  tags: fc.array(word, { maxLength: 3 }),
  attributes: fc.dictionary(word, word, { maxKeys: 3 }),
  covers: fc.boolean(),
})

test('what was hashed lately does not stand in for what says something else', () => {
  fc.assert(
    fc.property(fc.array(content, { minLength: 1, maxLength: 20 }), (contents) => {
      for (const said of contents.map(observation)) expect(contentHash(said)).toBe(defined(said))
    }),
    { numRuns: 300 },
  )
})
