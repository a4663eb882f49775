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

const cidr = (given: Partial<PresentRow> = {}): PresentRow =>
  entityRow({ entityId: 'cidr-1', type: 'cidr', value: '8.8.8.0/24', ...given } as object)
const views = (...rows: PresentRow[]) => presentViews(rows, BUILT_IN)

test('a row alone is shown as it is, and nothing of one that was taken back', () => {
  expect(views(cidr({ covers: true, reputation: 2 }))).toMatchObject([{ covers: true, reputation: 2 }])
  expect(views(cidr({ retracted: true }))).toEqual([])
  expect(views(cidr({ retracted: true }), cidr({ retracted: true, audience: 2n }))).toEqual([])
  expect(views()).toEqual([])
})

test('each entity is folded by itself', () => {
  const other = cidr({ entityId: 'cidr-2', value: '9.9.9.0/24', tags: ['v'] })
  const found = views(cidr({ tags: ['t'] }), other, cidr({ audience: 2n, tags: ['u'] }))
  expect(found.map(({ value, tags }) => [value, ...tags])).toEqual([
    ['8.8.8.0/24', 't', 'u'],
    ['9.9.9.0/24', 'v'],
  ])
})

test('of several rows one that covers is enough, unless it was taken back', () => {
  const several = (retracted: boolean) => [
    cidr(),
    cidr({ audience: 2n }),
    cidr({ audience: 3n, covers: true, retracted }),
  ]
  expect(views(...several(false))).toMatchObject([{ covers: true }])
  expect(views(...several(true))).toMatchObject([{ covers: false }])
})
