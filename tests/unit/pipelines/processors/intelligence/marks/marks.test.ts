import { expect, test } from 'vitest'
import { coveredRecord } from '../../../../../../pipelines/processors/intelligence/marks/covered-record.ts'
import { observe } from '../../../../../../pipelines/processors/intelligence/observe.ts'
import { systemRecord } from '../../../../../../pipelines/processors/intelligence/system-record.ts'
import { faultOf } from '../../../../../../pipelines/processors/intelligence/validate.ts'
import { audienceId } from '../../../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../../../schemas/intelligence/observations/observation.ts'
import { type EntityStates, withRow } from '../../../../../../schemas/intelligence/state/entity-state.ts'
import { NOW, observation } from '../../../../../builders/intelligence/observation.ts'

const DAY = 86_400_000
const rules = { dedupeWindow: 3_600_000, locate: () => ({ country: '', asn: 0, aso: '' }) }
const MARK = { type: 'cidr', value: '8.8.8.0/24' }
const said = (given: Partial<Observation> = {}): Observation => observation({ reputation: -3, tags: [], ...given })
const marked = (given: Partial<Observation> = {}): Observation =>
  said({ kind: 'well_known', reputation: null, source: 'admin', sourceKind: 'trusted', ...given })
const unmark = (of: Observation, at: number): Observation =>
  systemRecord(of, { id: of.id, submissionId: of.submissionId, source: 'admin', kind: 'unmark', observedAt: at })

/** The rows after these records, and what the last of them gave. */
function applied(...records: Observation[]) {
  let rows: EntityStates = []
  let last: ReturnType<typeof observe> = null
  for (const [offset, record] of records.entries()) {
    last = observe(rows, record, audienceId(record.audience), { partition: 0, offset }, rules)
    for (const row of last?.rows ?? []) rows = withRow(rows, row)
  }
  return { rows, last }
}
const scores = (rows: EntityStates) => rows.map((row) => [row.reputation, row.wellKnown, row.covered])

test('a cleared mark gives every row the score of its claims, as of the record', () => {
  const secret = said({ audience: ['blue'], observedAt: NOW + 1 })
  const { rows, last } = applied(said(), secret, marked({ observedAt: NOW + 2 }), unmark(said(), NOW + 14 * DAY))
  expect(rows.map((row) => [row.reputation, row.wellKnown, row.scoredAt])).toEqual([
    [-2, false, NOW + 14 * DAY],
    [-2, false, NOW + 14 * DAY],
  ])
  expect(last?.kept).toBeNull()
  expect(last?.retraction).toMatchObject({
    source: '',
    audience: audienceId(['public']),
    at: NOW + 14 * DAY,
    offset: 3,
  })
})

test('an entity without a mark has none to be cleared, and one that was cleared has none any more', () => {
  expect(applied(said(), unmark(said(), NOW + 1)).last).toBeNull()
  expect(applied(said(), marked(), unmark(said(), NOW + 1), unmark(said(), NOW + 2)).last).toBeNull()
})

test('a later mark marks again, and is a record of its own, even within the hour', () => {
  const { rows, last } = applied(said(), marked(), unmark(said(), NOW + 1), marked({ observedAt: NOW + 2 }))
  expect(scores(rows)).toEqual([[0, true, false]])
  expect(last?.kept).not.toBeNull()
})

test('a mark that covered says that it was cleared, until it covers again', () => {
  const net = { ...MARK, entityId: observation(MARK).entityId }
  const covering = marked({ ...net, covers: true })
  const flags = (...records: Observation[]) => applied(...records).rows.map((row) => [row.covers, row.cleared])
  expect(flags(covering)).toEqual([[true, false]])
  expect(flags(covering, unmark(covering, NOW + 1))).toEqual([[false, true]])
  const again = marked({ ...net, observedAt: NOW + 2 })
  expect(flags(covering, unmark(covering, NOW + 1), again)).toEqual([[false, true]])
  expect(flags(covering, unmark(covering, NOW + 1), { ...again, covers: true })).toEqual([[true, false]])
})

test('a cleared mark leaves the floor of a mark that covers the entity', () => {
  const { rows } = applied(said(), marked(), coveredRecord(said(), MARK, NOW + 1), unmark(said(), NOW + 2))
  expect(scores(rows)).toEqual([[0, false, true]])
})

test('what is covered no more has the score of its claims, and a second record changes nothing', () => {
  const covered = coveredRecord(said(), MARK, NOW + 1)
  const uncovered = coveredRecord(said(), MARK, NOW + 21 * DAY, 'uncovered')
  const { rows } = applied(said(), said({ audience: ['blue'] }), covered, uncovered)
  expect(scores(rows)).toEqual([
    [-1, false, false],
    [-1, false, false],
  ])
  expect(applied(said(), covered, uncovered, uncovered).last).toBeNull()
  expect(scores(applied(said(), covered, uncovered, { ...covered, observedAt: NOW + 22 * DAY }).rows)).toEqual([
    [0, false, true],
  ])
})

test('records that clear state nothing else, have no audience, and are of no later time than they are written', () => {
  for (const record of [unmark(said(), NOW), coveredRecord(said(), MARK, NOW, 'uncovered')]) {
    expect(faultOf(record, NOW)).toBeNull()
    expect(faultOf({ ...record, audience: ['public'] }, NOW)).toMatch(/must not have an audience/)
    expect(faultOf({ ...record, tags: ['a'] }, NOW)).toMatch(/must contain only its entity/)
    expect(faultOf(record, NOW - 60_001)).toMatch(/is in the future/)
  }
})

test('a report that is known to lie under a mark has the floor from its first row on, and no other row takes it', () => {
  const secret = said({ audience: ['blue'], observedAt: NOW + 1 })
  const { rows } = applied(secret, said({ covered: true }))
  expect(scores(rows)).toEqual([
    [-3, false, false],
    [0, false, true],
  ])
  expect(applied(said({ covered: true }), coveredRecord(said(), MARK, NOW + 1)).last).toBeNull()
  const cleared = coveredRecord(said(), MARK, NOW + 1, 'uncovered')
  expect(scores(applied(said({ covered: true }), cleared).rows)).toEqual([[-3, false, false]])
})

test('a verdict is weaker than a mark from its first row on', () => {
  const verdict = { reason: 'seen at work', until: 0 }
  const given = said({ kind: 'verdict', audience: ['team'], verdict, covered: true, observedAt: NOW + 1 })
  const { rows } = applied(said({ audience: ['blue'] }), given)
  expect(scores(rows)[1]).toEqual([0, false, true])
})
