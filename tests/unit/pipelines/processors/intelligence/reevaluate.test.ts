import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { reevaluationRecord } from '../../../../../pipelines/processors/intelligence/reevaluate.ts'
import { faultOf } from '../../../../../pipelines/processors/intelligence/validate.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { score } from '../../../../../schemas/intelligence/scoring/score.ts'
import { type EntityStates, withRow } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { DAY, HOUR, NOW, observation } from '../../../../builders/intelligence/observation.ts'

const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const LATER = NOW + 40 * DAY
const about = observation()
const tick = (days: number): Observation => reevaluationRecord(about, NOW + days * DAY)

/** Applies what was observed, one record after the other, to what is stored. */
function table() {
  let states: EntityStates = []
  let offset = 0
  return {
    rows: () => states,
    apply(...all: Observation[]) {
      const records = all.map((o) => ({
        observation: o,
        partition: 3,
        offset: offset++,
        audience: audienceId(o.audience),
      }))
      const applied = applyBatch(new Map([[about.entityId, states]]), records, rules)
      for (const row of applied.rows) states = withRow(states, row)
      return applied
    },
  }
}

test('a row says when it is due, and a tick at that moment lets it fade and says when again', () => {
  const { apply, rows } = table()
  apply(about)
  const [before] = rows()
  expect(before).toMatchObject({ reputation: -3, scoredAt: NOW })
  const { due } = before!
  expect(apply(reevaluationRecord(about, due - 1)).skipped).toBe(1)
  const applied = apply(reevaluationRecord(about, due))
  expect(applied).toMatchObject({ history: [], skipped: 0, silent: { tick: 1 } })
  expect(rows()[0]).toEqual({
    ...before,
    reputation: -2,
    scoredAt: due,
    due: rows()[0]!.due,
    version: 3,
  })
  expect(rows()[0]!.due).toBeGreaterThan(due)
  expect(applied.changes).toMatchObject([
    { change: { cause: 'tick', rows: [{ before: { reputation: -3 }, after: { reputation: -2 } }] } },
  ])
  expect(applied.deltas).toContainEqual({
    audience: audienceId(['public']),
    dim: 'cell',
    malicious: true,
    key: 'ip|-3|1',
    n: -1,
  })
  // Said again, it changes nothing.
  expect(apply(reevaluationRecord(about, due))).toMatchObject({ skipped: 1, rows: [], changes: [] })
})

test('a row that has faded for good is never due again', () => {
  const { apply, rows } = table()
  apply(about, tick(100))
  expect(rows()[0]).toMatchObject({ reputation: 0, accuracy: 0, best: 0, worst: 0, due: 0, lastSeen: NOW })
  expect(apply(tick(200)).skipped).toBe(1)
})

test('an observation of before a tick is scored as of the tick', () => {
  const { apply, rows } = table()
  apply(about, tick(20), observation({ source: 's2', reputation: 3, observedAt: NOW + DAY }))
  const [row] = rows()
  expect(row!.scoredAt).toBe(NOW + 20 * DAY)
  expect(row).toMatchObject(score('ip', row!.claims, NOW + 20 * DAY))
})

test('under a floor the accuracy fades', () => {
  const { apply, rows } = table()
  apply(about, observation({ kind: 'well_known', source: 't', reputation: null }))
  expect(rows()[0]).toMatchObject({ reputation: 0, accuracy: 1, worst: -3 })
  apply(tick(30))
  expect(rows()[0]).toMatchObject({ reputation: 0, accuracy: 0, worst: 0, due: 0 })
})

test('a row that is not due stays as it is when another audience has one that is', () => {
  const { apply, rows } = table()
  apply(about, observation({ audience: ['blue'], observedAt: NOW + 20 * DAY }))
  const blue = rows().find((row) => row.audience === audienceId(['blue']))
  const { changes } = apply(tick(21))
  expect(rows().find((row) => row.audience === audienceId(['blue']))).toBe(blue)
  const moved = changes.flatMap(({ change, others }) =>
    change.rows.map((row) => [row.step, others.find((one) => one.row === row)?.audience]),
  )
  expect(moved).toContainEqual(['changed', audienceId(['public'])])
  expect(moved.filter(([step]) => step === 'changed')).toHaveLength(1)
})

test('rows that are ticked whenever they are due always have the score of the moment', () => {
  const event = fc.record({
    days: fc.integer({ min: 0, max: 35 }),
    source: fc.constantFrom('s1', 's2', 's3'),
    audience: fc.constantFrom<string[]>(['public'], ['blue']),
    reputation: fc.constantFrom(null, -3, -2, -1, 0, 1, 3),
    trust: fc.constantFrom(0.6, 0.9),
  })
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 8 }), (events) => {
      const { apply, rows } = table()
      for (const { days, ...said } of events) apply(observation({ ...said, observedAt: NOW + days * DAY }))
      for (let now = NOW + 36 * DAY; now < NOW + 70 * DAY; now += 7 * HOUR) {
        if (rows().some(({ due }) => due !== 0 && due <= now)) apply(reevaluationRecord(about, now))
        for (const row of rows()) expect(row).toMatchObject(score(row.type, row.claims, now))
      }
    }),
    { numRuns: 100 },
  )
})

test('a tick is taken as the sweep makes it, and refused with anything else', () => {
  expect(faultOf(tick(40), LATER)).toBeNull()
  expect(faultOf({ ...tick(40), reputation: -1 }, LATER)).toBe('a tick record must contain only its entity')
  expect(faultOf({ ...tick(40), audience: ['public'] }, LATER)).toBe('a tick record must not have an audience')
  expect(faultOf(tick(40), LATER - 60_001)).toBe('a tick is in the future')
  const retracted = { from: 1, to: 2, held: null, described: null }
  expect(faultOf({ ...tick(40), retracted }, LATER)).toBe(
    'retracted is required in retractions and not allowed in other records',
  )
})
