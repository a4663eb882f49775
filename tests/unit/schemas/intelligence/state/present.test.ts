import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { BUILT_IN } from '../../../../../schemas/intelligence/scoring/rules.ts'
import type { EntityState } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { fold, isRetracted } from '../../../../../schemas/intelligence/state/entity-view.ts'
import { type PresentRow, presentViews } from '../../../../../schemas/intelligence/state/present.ts'
import { entityRow } from '../../../../builders/intelligence/entity-row.ts'
import { DAY, NOW } from '../../../../builders/intelligence/observation.ts'
import { longer } from '../../../../builders/platform/longer.ts'

const time = fc.integer({ min: 0, max: 60 }).map((days) => NOW + days * DAY)
const claim = fc.record({
  source: fc.constantFrom('s1', 's2', 'feed:a'),
  kind: fc.constantFrom('user' as const, 'feed' as const),
  trust: fc.constantFrom(0.3, 0.6, 1),
  reputation: fc.constantFrom(-3, -2, 0, 3, null),
  claimedAt: time,
  at: time,
  keptAt: time,
  keptHash: fc.constant(0n),
  firstSeen: time,
})
const row: fc.Arbitrary<Partial<EntityState>> = fc.record({
  value: fc.constantFrom('8.8.8.8', '203.0.113.9'),
  audience: fc.bigInt({ min: 1n, max: 4n }),
  reputation: fc.integer({ min: -3, max: 3 }),
  accuracy: fc.integer({ min: 0, max: 3 }),
  wellKnown: fc.boolean(),
  covered: fc.boolean(),
  retracted: fc.boolean(),
  met: fc.boolean(),
  verdict: fc.option(fc.record({ reputation: fc.constantFrom(-3, 3), at: time, until: fc.constant(0) }), { nil: null }),
  tags: fc.subarray(['a', 'b', 'ä']),
  firstSeen: time,
  lastSeen: time,
  scoredAt: time,
  claims: fc.array(claim, { maxLength: 3 }),
})

const rowOf = (given: Partial<EntityState>): EntityState =>
  entityRow({ ...given, entityId: entityId('ip', given.value!), covers: given.retracted !== true && given.wellKnown! })

/** What of a view a reputation shows. */
const shown = ({
  entityId: id,
  value,
  reputation,
  accuracy,
  wellKnown,
  covered,
  tags,
  firstSeen,
  lastSeen,
}: PresentRow) => ({
  id,
  value,
  reputation,
  accuracy,
  wellKnown,
  covered,
  tags,
  firstSeen,
  lastSeen,
})

test('what one reader is shown of entities is the fold of each; what was taken back as a whole is not there', () => {
  const rows = fc.uniqueArray(row, { selector: (r) => `${r.value} ${r.audience}`, maxLength: 6 })
  fc.assert(
    fc.property(rows, (given) => {
      const present = given.map(rowOf)
      const views = presentViews(present, BUILT_IN)
      const expected = [...Map.groupBy(present, (one) => one.entityId).values()]
        .filter((of) => !isRetracted(of))
        .map((of) => ({ ...shown(fold(of) as PresentRow), covers: of.some((one) => one.covers) }))
      expect(views.map((view) => ({ ...shown(view as PresentRow), covers: view.covers }))).toEqual(expected)
    }),
    { numRuns: longer(300) },
  )
})

test('nothing is shown of no rows', () => {
  expect(presentViews([], BUILT_IN)).toEqual([])
})
