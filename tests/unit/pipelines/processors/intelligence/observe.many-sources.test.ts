import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { withGroups } from '../../../../../pipelines/processors/intelligence/changes.ts'
import type { ObserveRules } from '../../../../../pipelines/processors/intelligence/observe.ts'
import { scoreColumns } from '../../../../../pipelines/processors/intelligence/rows/score-columns.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { BUILT_IN, readRules } from '../../../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../../../schemas/intelligence/state/change.ts'
import type { EntityState, EntityStates } from '../../../../../schemas/intelligence/state/entity-state.ts'
import type { Positioned } from '../../../../../schemas/intelligence/state/stored.ts'
import { DAY, HOUR, NOW, observation } from '../../../../builders/intelligence/observation.ts'
import { longer } from '../../../../builders/platform/longer.ts'

const locate = () => ({ country: '', asn: 0, aso: '' })
const RULES: readonly ObserveRules[] = [
  { dedupeWindow: HOUR, locate },
  { dedupeWindow: HOUR, locate, scoring: BUILT_IN },
  {
    dedupeWindow: HOUR,
    locate,
    scoring: readRules({ id: 'median', formula: 2, trust: { s4: 0.9, 'kind:feed': 0.2 } }),
  },
]

/** Most records are reports; the others change the rows in every other way. */
const record = fc.record({
  source: fc.integer({ min: 0, max: 90 }).map((n) => `s${n}`),
  kind: fc.oneof(
    { weight: 30, arbitrary: fc.constant('report' as const) },
    fc.constantFrom('well_known' as const, 'covered' as const, 'tick' as const, 'retraction' as const),
  ),
  reputation: fc.constantFrom(null, -3, -3, -2, -1, 0, 1, 3),
  trust: fc.constantFrom(0.3, 0.6, 0.6, 0.9),
  sourceKind: fc.constantFrom('feed' as const, 'user' as const),
  audience: fc.oneof({ weight: 9, arbitrary: fc.constant(['public']) }, fc.constant(['blue'])),
  ago: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 0, max: 3 * HOUR }) }, fc.integer({ min: 0, max: 50 * DAY })),
})
/** At least twice as many as make a row large. */
const history = fc.array(record, { minLength: 120, maxLength: 500, size: 'max' })

const positioned = (given: readonly unknown[]): Positioned[] =>
  given.map((one, offset) => {
    const { ago, kind, ...said } = one as Partial<Observation> & { ago: number }
    const observedAt = NOW + offset * 60_000 - ago
    const system = kind === 'covered' || kind === 'tick'
    const retracted =
      kind === 'retraction' ? { from: observedAt - DAY, to: observedAt, held: null, described: null } : null
    const o = observation({
      ...said,
      kind: kind!,
      observedAt,
      retracted,
      ...(system ? { audience: [], reputation: null } : {}),
      ...(kind === 'retraction' ? { reputation: null } : {}),
      ...(kind === 'well_known' ? { reputation: 0 } : {}),
    })
    return { observation: o, partition: 0, offset, audience: audienceId(o.audience) }
  })

/** As a row of the store, which has nothing beside it. */
const asStored = (row: EntityState): EntityState => ({ ...row, claims: [...row.claims] })

/** The same, which passes for a row of few sources: its claims are gone through one by one. */
const asFew = (row: EntityState): EntityState => ({ ...asStored(row), sources: Math.min(row.sources, 1) })

/** Without the claims, which a change carries only while the rows say that there are few. */
const scoresIn = ({ id, rows }: Change) => ({
  id,
  rows: rows.map(({ audience, step, before, after }) => [
    audience,
    step,
    before?.reputation,
    after.reputation,
    after.accuracy,
  ]),
})

function run(
  records: readonly Positioned[],
  rules: ObserveRules,
  size: number,
  kept: ((row: EntityState) => EntityState) | null,
) {
  let states: ReadonlyMap<string, EntityStates> = new Map()
  const told: unknown[] = []
  const groups = new Map<bigint, readonly string[]>()
  for (let i = 0; i < records.length; i += size) {
    const applied = applyBatch(states, records.slice(i, i + size), rules)
    for (const [id, those] of applied.audiences) groups.set(id, those)
    told.push(...applied.history.map(({ offset, accuracy, wellKnown }) => ({ offset, accuracy, wellKnown })))
    told.push(...applied.changes.map((change) => scoresIn(withGroups(change, groups))))
    const next = new Map([...states, ...applied.states])
    states = kept === null ? next : new Map([...next].map(([id, rows]) => [id, rows.map(kept)]))
  }
  return { told, rows: [...states.values()].flat().map((row) => ({ ...asStored(row), sources: row.claims.length })) }
}

test('rows and records of many sources are the same in any batches, remembered or read back', () => {
  fc.assert(
    fc.property(history, fc.constantFrom(...RULES), fc.integer({ min: 2, max: 200 }), (given, rules, size) => {
      const records = positioned(given)
      const alone = run(records, rules, 1, asFew)
      const remembered = run(records, rules, records.length, null)
      const batched = run(records, rules, size, null)
      const restarted = run(records, rules, size, asStored)
      for (const other of [remembered, batched, restarted]) {
        expect(other.rows).toEqual(alone.rows)
        expect(new Set(other.told.map((t) => JSON.stringify(t)))).toEqual(
          new Set(alone.told.map((t) => JSON.stringify(t))),
        )
      }
      for (const row of alone.rows)
        expect(row).toMatchObject(scoreColumns(row.type, row.claims, row.scoredAt, row, rules.scoring))
    }),
    { numRuns: longer(20) },
  )
})

test('a row stays what it was when others follow from it', () => {
  fc.assert(
    fc.property(history, fc.constantFrom(...RULES), (given, rules) => {
      const records = positioned(given)
      const first = applyBatch(new Map(), records.slice(0, 100), rules)
      const stored = new Map([...first.states].map(([id, rows]) => [id, rows.map(asStored)]))
      const once = applyBatch(first.states, records.slice(100), rules)
      const before = structuredClone(once.changes)
      const again = applyBatch(first.states, records.slice(100), rules)
      expect(again.rows).toEqual(once.rows)
      expect(again.changes).toEqual(before)
      expect([...first.states.values()].flat().map(asStored)).toEqual([...stored.values()].flat())
    }),
    { numRuns: longer(8) },
  )
})
