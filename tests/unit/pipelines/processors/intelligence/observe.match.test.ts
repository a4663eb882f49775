import { describe, expect, test } from 'vitest'
import { observe } from '../../../../../pipelines/processors/intelligence/observe.ts'
import { faultOf } from '../../../../../pipelines/processors/intelligence/validate.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { type EntityStates, withRow } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { fold, isRetracted } from '../../../../../schemas/intelligence/state/entity-view.ts'
import { DAY, NOW, observation } from '../../../../builders/intelligence/observation.ts'
import { retractionOf } from '../../../../builders/intelligence/retraction.ts'

const rules = { dedupeWindow: 3_600_000, locate: () => ({ country: '', asn: 0, aso: '' }) }
const TEAM = ['customer-1']
const said = (given: Partial<Observation> = {}): Observation => observation({ tags: ['c2'], ...given })
const match = (given: Partial<Observation> = {}): Observation =>
  observation({ kind: 'match', reputation: null, trust: 0, source: 'c1', sourceKind: 'customer', ...given })
const verdict = (reputation: number | null, observedAt: number, until = 0): Observation => {
  const given = { reputation, observedAt, verdict: { reason: 'ours', until } }
  return observation({ kind: 'verdict', audience: TEAM, source: 'c1', sourceKind: 'customer', ...given })
}

/** The rows after these records, what the last of them gave, and the views of a member and of a stranger. */
function applied(...records: Observation[]) {
  let rows: EntityStates = []
  let last: ReturnType<typeof observe> = null
  for (const [offset, record] of records.entries()) {
    last = observe(rows, record, audienceId(record.audience), { partition: 0, offset }, rules)
    for (const row of last?.rows ?? []) rows = withRow(rows, row)
  }
  const open = rows.filter((row) => row.audience === audienceId(['public']))
  return { rows, last, member: fold(rows), stranger: open.length === 0 ? null : fold(open) }
}

describe('a match', () => {
  test('moves when the entity was seen, and nothing else of a row with claims', () => {
    const before = applied(said()).rows[0]!
    const { rows, last } = applied(said(), match({ observedAt: NOW + DAY }))
    expect(rows).toEqual([{ ...before, version: 2, lastSeen: NOW + DAY }])
    expect(last?.kept).toEqual({ accuracy: before.accuracy })
    expect(applied(said(), match({ observedAt: NOW - DAY })).rows[0]).toEqual({ ...before, version: 2 })
  })

  test('of a part of the readers is seen by these alone, in a row that nothing else is shown of', () => {
    const { rows, member, stranger } = applied(said(), match({ audience: TEAM, observedAt: NOW + DAY }))
    expect(stranger).toEqual(applied(said()).stranger)
    expect(member).toEqual({ ...stranger, lastSeen: NOW + DAY })
    expect(rows[1]).toMatchObject({ met: true, retracted: true, sources: 0, claims: [], reputation: 0, due: 0 })
    const again = applied(said(), match({ audience: TEAM, observedAt: NOW + DAY }), match({ audience: TEAM }))
    expect(again.member.lastSeen).toBe(NOW + DAY)
  })

  test('brings no retracted entity back', () => {
    const report = said()
    const retraction = retractionOf(
      [report],
      { source: 's1', audience: ['public'] },
      { from: 1, to: NOW + 9 },
      NOW + 10,
    )
    const before = applied(report, match({ audience: TEAM, observedAt: NOW + DAY }), retraction)
    expect(isRetracted(before.rows)).toBe(true)
    const after = applied(report, retraction, match({ observedAt: NOW + DAY }), match({ audience: TEAM }))
    expect(isRetracted(after.rows)).toBe(true)
    expect(after.member).toMatchObject({ reputation: 0, accuracy: 0, tags: [] })
    const back = applied(report, retraction, match({ observedAt: NOW + DAY }), said({ observedAt: NOW + 20 }))
    expect(back.rows[0]).toMatchObject({ met: false, firstSeen: NOW + 20, lastSeen: NOW + DAY, scoredAt: NOW + 20 })
  })

  test('leaves a verdict of its audience, and the other way round', () => {
    const seen = { firstSeen: NOW, lastSeen: NOW + DAY, reputation: 3, accuracy: 3 }
    const met = match({ audience: TEAM, observedAt: NOW + DAY })
    for (const records of [
      [said(), verdict(3, NOW + 1), met],
      [said(), met, verdict(3, NOW + 1)],
    ])
      expect(applied(...records).member).toMatchObject(seen)
    const over = applied(said(), met, verdict(3, NOW + 1), verdict(null, NOW + 2))
    expect(over.member).toEqual({ ...over.stranger, lastSeen: NOW + DAY })
    expect(isRetracted(over.rows.filter((row) => row.met))).toBe(true)
  })

  test('lets no score age: a later report is scored as of itself', () => {
    const later = said({ source: 's2', observedAt: NOW + 2 })
    const { rows } = applied(said(), match({ observedAt: NOW + 20 * DAY }), later)
    expect(rows[0]).toMatchObject({ reputation: -3, scoredAt: NOW + 2, lastSeen: NOW + 20 * DAY })
  })

  test('that is delivered again changes nothing', () => {
    const { rows } = applied(said(), match())
    expect(observe(rows, match(), audienceId(['public']), { partition: 0, offset: 1 }, rules)).toBeNull()
  })
})

test.each([
  { given: {}, fault: null },
  { given: { audience: ['a', 'b'] }, fault: null },
  { given: { reputation: -3 }, fault: 'a match must contain only its entity' },
  { given: { tags: ['c2'] }, fault: 'a match must contain only its entity' },
  { given: { attributes: { country: 'France' } }, fault: 'a match must contain only its entity' },
  {
    given: { links: [{ mode: 'association' as const, entityId: `ip-${'a'.repeat(64)}`, relationship: null }] },
    fault: 'a match must contain only its entity',
  },
  { given: { trust: 0.6 }, fault: 'a match has the trust 0' },
  { given: { sourceKind: 'feed' as const }, fault: 'a match is of a customer or a user' },
  { given: { observedAt: NOW + DAY / 2 }, fault: 'a match is in the future' },
  { given: { audience: [] }, fault: 'audience is empty' },
  { given: { audience: ['b', 'a'] }, fault: 'audience is not a sorted set of groups' },
  { given: { source: '' }, fault: 'source is empty' },
  { given: { kind: 'report' as const }, fault: 'trust is outside 0..1' },
])('a match with $given: $fault', ({ given, fault }) => {
  expect(faultOf(match(given), NOW)).toBe(fault)
})
