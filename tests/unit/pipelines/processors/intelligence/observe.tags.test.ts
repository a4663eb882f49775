import fc from 'fast-check'
import { expect, test } from 'vitest'
import { observe } from '../../../../../pipelines/processors/intelligence/observe.ts'
import { MAX_TAGS } from '../../../../../schemas/intelligence/ingest/tags.ts'
import type { EntityState } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { observation } from '../../../../builders/intelligence/observation.ts'

const rules = { dedupeWindow: 0, locate: () => ({ country: '', asn: 0, aso: '' }) }
const tags = fc.array(
  fc.nat(2000).map((n) => `tag-${n}`),
  { maxLength: MAX_TAGS },
)

test('no observation takes a tag from a row, however many it has: searches by tag rely on it', () => {
  fc.assert(
    fc.property(fc.array(tags, { minLength: 2, maxLength: 40 }), (all) => {
      let row: EntityState | undefined
      for (const [offset, list] of all.entries()) {
        const o = observation({ tags: [...new Set(list)].sort() })
        const next = observe(row === undefined ? [] : [row], o, 1n, { partition: 0, offset }, rules)!.rows[0]!
        expect(next.tags).toEqual(expect.arrayContaining([...(row?.tags ?? [])]))
        row = next
      }
    }),
    { numRuns: 20 },
  )
})
