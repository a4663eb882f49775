import { describe, expect, test } from 'vitest'
import { observe } from '../../../../../../pipelines/processors/intelligence/observe.ts'
import { reevaluationRecord } from '../../../../../../pipelines/processors/intelligence/reevaluate.ts'
import { faultOf } from '../../../../../../pipelines/processors/intelligence/validate.ts'
import { audienceId } from '../../../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../../../schemas/intelligence/observations/observation.ts'
import { type EntityStates, withRow } from '../../../../../../schemas/intelligence/state/entity-state.ts'
import { fold } from '../../../../../../schemas/intelligence/state/entity-view.ts'
import { DAY, NOW, observation } from '../../../../../builders/intelligence/observation.ts'
import { retractionOf } from '../../../../../builders/intelligence/retraction.ts'

const rules = { dedupeWindow: 3_600_000, locate: () => ({ country: '', asn: 0, aso: '' }) }
const TEAM = ['customer-1']
const said = (given: Partial<Observation> = {}): Observation => observation({ reputation: -3, tags: ['c2'], ...given })
const verdict = (reputation: number | null, at: number, until = 0): Observation =>
  observation({
    kind: 'verdict',
    reputation,
    audience: TEAM,
    source: 'c1',
    sourceKind: 'customer',
    observedAt: at,
    verdict: { reason: 'ours', until },
  })

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

describe('a verdict', () => {
  test('decides the view of the team and of nobody else, and is no source', () => {
    const { member, stranger, rows, last } = applied(said(), verdict(3, NOW + 1))
    expect(member).toMatchObject({ reputation: 3, accuracy: 3, best: -3, worst: -3, tags: ['c2'] })
    expect(member).toMatchObject({ firstSeen: NOW, lastSeen: NOW })
    expect(stranger).toEqual(applied(said()).stranger)
    expect(rows.map((row) => [row.sources, row.claims.length])).toEqual([
      [1, 1],
      [0, 0],
    ])
    expect(last?.kept).toEqual({ accuracy: 3 })
    expect(last?.rows).toHaveLength(1)
  })

  test('stays, whatever is reported or retracted, until it is taken back', () => {
    const later = said({ source: 's2', observedAt: NOW + 2, audience: TEAM })
    const held = applied(said(), verdict(3, NOW + 1), later, said({ observedAt: NOW + 3 }))
    expect(held.member).toMatchObject({ reputation: 3, accuracy: 3 })
    const gone = applied(said(), verdict(3, NOW + 1), later, verdict(null, NOW + 4))
    expect(gone.member).toMatchObject({ reputation: -3 })
    expect(gone.rows.map((row) => row.verdict)).toEqual([null, null])
    const retraction = retractionOf([later], { source: 's2', audience: TEAM }, { from: NOW, to: NOW + 9 }, NOW + 10)
    const alone = applied(said(), verdict(3, NOW + 1), later, retraction)
    expect(alone.member).toMatchObject({ reputation: 3 })
    expect(alone.rows.map((row) => row.retracted)).toEqual([false, false])
  })

  test('given anew replaces the one before, and a row that has nothing else goes with it', () => {
    const turned = applied(said(), verdict(3, NOW + 1), verdict(-3, NOW + 2))
    expect(turned.member).toMatchObject({ reputation: -3, accuracy: 3 })
    const { rows, member, last } = applied(said({ reputation: 2 }), verdict(-3, NOW + 1), verdict(null, NOW + 2))
    expect(rows.map((row) => row.retracted)).toEqual([false, true])
    expect(member).toMatchObject({ reputation: 2 })
    expect(last?.kept).not.toBeNull()
  })

  test('that is not there cannot be taken back, and one that was applied changes nothing again', () => {
    expect(applied(said(), verdict(null, NOW + 1)).last).toBeNull()
    const { rows } = applied(said(), verdict(3, NOW + 1))
    expect(observe(rows, verdict(3, NOW + 1), audienceId(TEAM), { partition: 0, offset: 1 }, rules)).toBeNull()
  })

  test('of malicious is below a well-known mark, whichever came first', () => {
    const mark = said({
      kind: 'well_known',
      reputation: null,
      source: 'admin',
      sourceKind: 'trusted',
      observedAt: NOW + 1,
    })
    expect(applied(said(), verdict(-3, NOW + 1), { ...mark, observedAt: NOW + 2 }).member.reputation).toBe(0)
    expect(applied(said(), mark, verdict(-3, NOW + 2)).member.reputation).toBe(0)
    expect(applied(said(), mark, verdict(3, NOW + 2)).member.reputation).toBe(3)
  })

  test('ends by time: the row is due then, and a tick leaves the claims', () => {
    const given = verdict(3, NOW + 1, NOW + 30 * DAY)
    const before = applied(said(), said({ audience: TEAM, source: 's2' }), given)
    expect(before.rows[1]).toMatchObject({ due: expect.any(Number), reputation: 3 })
    expect(before.rows[1]!.due).toBeLessThanOrEqual(NOW + 30 * DAY)
    const early = applied(said(), given, reevaluationRecord(said(), NOW + 30 * DAY - 1))
    expect(early.rows[1]!.verdict).not.toBeNull()
    const ended = applied(said(), given, reevaluationRecord(said(), NOW + 30 * DAY))
    expect(ended.rows[1]).toMatchObject({ verdict: null, retracted: true })
    expect(ended.member).toEqual(ended.stranger)
    // A report that comes before the tick sees that it ended.
    const reported = applied(said(), given, said({ audience: TEAM, observedAt: NOW + 31 * DAY }))
    expect(reported.rows[1]!.verdict).toBeNull()
  })

  test.each([
    [verdict(3, NOW), null],
    [verdict(null, NOW), null],
    [verdict(3, NOW, NOW + 3_650 * DAY), null],
    [verdict(3, NOW, NOW), 'until of a verdict is out of bounds'],
    [verdict(3, NOW, NOW + 3_650 * DAY + 1), 'until of a verdict is out of bounds'],
    [verdict(2, NOW), 'a verdict has the reputation 3 or -3'],
    [{ ...verdict(3, NOW), audience: ['public'] }, 'a verdict must not be public'],
    [{ ...verdict(3, NOW), tags: ['x'] }, 'a verdict must contain only what is decided'],
    [{ ...verdict(3, NOW), verdict: null }, 'verdict is required in verdicts and not allowed in other records'],
    [
      { ...said(), verdict: { reason: 'x', until: 0 } },
      'verdict is required in verdicts and not allowed in other records',
    ],
    [
      { ...verdict(3, NOW), verdict: { reason: 'x'.repeat(2_001), until: 0 } },
      'the reason of a verdict is longer than 2000 characters',
    ],
  ])('is refused where it says what none may: %#', (record, fault) => {
    expect(faultOf(record, NOW)).toBe(fault)
  })
})
