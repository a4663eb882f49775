import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { withGroups } from '../../../../../pipelines/processors/intelligence/changes.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { fold, isRetracted } from '../../../../../schemas/intelligence/state/entity-view.ts'
import type { Positioned } from '../../../../../schemas/intelligence/state/stored.ts'
import { viewChange } from '../../../../../schemas/intelligence/state/view-change.ts'
import { positioned } from '../../../../builders/intelligence/changes.ts'
import { DAY, HOUR, NOW } from '../../../../builders/intelligence/observation.ts'

/* Random logs with matches among their records, against the same logs without them. */

const rules = { dedupeWindow: HOUR, locate: () => ({ country: 'Malta', asn: 7, aso: 'Seven' }) }
const audience = fc.constantFrom<string[][]>(['public'], ['blue'], ['blue', 'red'], ['red'])
const observedAt = fc.integer({ min: 0, max: 40 }).map((days) => NOW + days * DAY)

const report = fc.record({
  source: fc.constantFrom('s1', 's2'),
  audience,
  reputation: fc.constantFrom(-3, -1, 0, 3, null),
  tags: fc.constantFrom<string[][]>([], ['t']),
  attributes: fc.constantFrom<Record<string, string>[]>({}, { country: 'Peru' }),
  kind: fc.constantFrom<Observation['kind']>('report', 'report', 'report', 'well_known', 'covered', 'tick'),
  observedAt,
})
const retraction = fc.record({ source: fc.constantFrom('s1', 's2'), audience }).map((given) => ({
  ...given,
  kind: 'retraction' as const,
  reputation: null,
  retracted: { from: 0, to: NOW * 2, held: null, described: null },
}))
const verdict = fc.record({ reputation: fc.constantFrom(3, -3, null), observedAt }).map((given) => ({
  ...given,
  kind: 'verdict' as const,
  audience: ['blue'],
  verdict: { reason: 'r', until: 0 },
}))
const match = fc.record({ audience, observedAt }).map((given) => ({
  ...given,
  kind: 'match' as const,
  source: 's1',
  reputation: null,
  trust: 0,
}))
const records = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: report },
    { weight: 1, arbitrary: retraction },
    { weight: 1, arbitrary: verdict },
    { weight: 3, arbitrary: match },
  ),
  { maxLength: 14 },
)

function applied(log: readonly Positioned[], groups: readonly string[]) {
  const reads = (those: readonly string[]): boolean => those.some((g) => g === 'public' || groups.includes(g))
  const { states, audiences, changes, deltas, history } = applyBatch(new Map(), log, rules)
  const rows = [...states.values()].flat().filter((row) => reads(audiences.get(row.audience)!))
  const told = changes.map((change) => viewChange(withGroups(change, audiences), reads))
  return { rows, told: told.filter((one) => one !== null && one !== 'wide'), deltas, history }
}

const counted = (deltas: ReturnType<typeof applied>['deltas']) =>
  deltas
    .filter(({ dim }) => dim !== 'day')
    .map((delta) => JSON.stringify({ ...delta, audience: String(delta.audience) }))
    .sort()

test('for any log and reader, matches change no view but when it was seen, no counter and no record of others', () => {
  const saw = { moved: 0, alone: 0 }
  fc.assert(
    fc.property(records, fc.subarray(['blue', 'red', 'green']), (given, groups) => {
      // Everybody reads the entity when the first match comes.
      const log = positioned([{ reputation: -3, observedAt: NOW }, ...given])
      const with_ = applied(log, groups)
      const without = applied(
        log.filter(({ observation: { kind } }) => kind !== 'match'),
        groups,
      )
      expect(isRetracted(with_.rows)).toBe(isRetracted(without.rows))
      expect(counted(with_.deltas)).toEqual(counted(without.deltas))
      expect(with_.history.filter(({ observation: { kind } }) => kind !== 'match')).toEqual(without.history)
      if (isRetracted(with_.rows)) return
      const { lastSeen, ...view } = shown(with_.rows)
      const { lastSeen: before, ...same } = shown(without.rows)
      expect(view).toEqual(same)
      expect(lastSeen).toBeGreaterThanOrEqual(before)
      saw.moved += Number(lastSeen > before)
      saw.alone += Number(with_.rows.length > without.rows.length)
      // What streams tell is what they told without the matches: `lastSeen` alone is no change.
      expect(with_.told.map(stepOf).filter(isTold)).toEqual(without.told.map(stepOf).filter(isTold))
    }),
    { numRuns: 1_000 },
  )
  expect(Math.min(saw.moved, saw.alone)).toBeGreaterThan(100)
})

const shown = (rows: Parameters<typeof fold>[0]) => {
  const { reputation, accuracy, best, worst, wellKnown, covered, tags, attributes, country, firstSeen, lastSeen } =
    fold(rows)
  return { reputation, accuracy, best, worst, wellKnown, covered, tags, attributes, country, firstSeen, lastSeen }
}

type Step = ReturnType<typeof applied>['told'][number]
const stepOf = ({ kinds, reason, before, after }: Step) => ({
  kinds,
  reason,
  before: before && [before.reputation, before.accuracy, before.tags],
  after: [after.reputation, after.accuracy, after.tags],
})
const isTold = ({ kinds }: { kinds: readonly string[] }): boolean => kinds.length > 0
