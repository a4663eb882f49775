import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { withGroups } from '../../../../../pipelines/processors/intelligence/changes.ts'
import { rescoreRow } from '../../../../../pipelines/processors/intelligence/rescore.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import type { ScoringRules } from '../../../../../schemas/intelligence/scoring/rules.ts'
import type { EntityStates } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { fold } from '../../../../../schemas/intelligence/state/entity-view.ts'
import type { Positioned } from '../../../../../schemas/intelligence/state/stored.ts'
import { viewChange } from '../../../../../schemas/intelligence/state/view-change.ts'
import { positioned } from '../../../../builders/intelligence/changes.ts'
import { DAY, HOUR, NOW } from '../../../../builders/intelligence/observation.ts'
import { rescored } from '../../../../builders/intelligence/replay/replay-rules.ts'
import { anyRules } from '../../../../builders/intelligence/rules.ts'

/* Random reports, rules that come into force among them, and readers, against folds of what each of them reads. */

const reader = (groups: readonly string[]) => (audience: readonly string[]) => audience.some((g) => groups.includes(g))

const audiences = fc.constantFrom<string[][]>(['public'], ['blue'], ['blue', 'red'], ['red'])
const anyRecord: fc.Arbitrary<Partial<Observation>> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      source: fc.constantFrom('s1', 's2', 'feed:a'),
      sourceKind: fc.constantFrom('user' as const, 'feed' as const),
      trust: fc.constantFrom(0.3, 1),
      audience: audiences,
      reputation: fc.constantFrom(-3, -1, 0, 3, null),
      tags: fc.constantFrom<string[][]>([], ['t']),
      kind: fc.constantFrom<Observation['kind']>('report', 'report', 'report', 'well_known', 'covered'),
      observedAt: fc.integer({ min: 0, max: 40 }).map((days) => NOW + days * DAY),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ source: fc.constantFrom('s1', 'feed:a'), audience: audiences }).map((given) => ({
      ...given,
      kind: 'retraction' as const,
      reputation: null,
      retracted: { from: 0, to: NOW * 2, held: null, described: null },
    })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(3, -3, null).map((reputation) => ({
      kind: 'verdict' as const,
      audience: ['blue'],
      reputation,
      verdict: { reason: 'r', until: 0 },
    })),
  },
)
const records = fc.array(anyRecord, { maxLength: 8 })
const met = fc
  .record({ audience: audiences, observedAt: fc.constantFrom(NOW, NOW + 30 * DAY) })
  .map((given): Partial<Observation> => ({ ...given, kind: 'match', reputation: null, trust: 0 }))
const SOURCES = ['s1', 's2', 'feed:a']
const observe = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
type Score = { reputation: number; accuracy: number }

/** What each record is to a reader, and the score of its view after it, by its own fold of the rows that it reads. */
function followed(
  log: readonly Positioned[],
  at: number,
  [old, rules]: readonly [ScoringRules, ScoringRules],
  groups: string[],
) {
  const audiencesOf = new Map<bigint, readonly string[]>()
  let rows: EntityStates = []
  return log.map((record) => {
    const scoring = record.offset < at ? old : rules
    const rulesChange = record.offset < at ? null : { before: old, since: [0, 0, 0, at] }
    const before = rows.map((row) => rescoreRow(row, scoring))
    const applied = applyBatch(new Map([[record.observation.entityId, before]]), [record], {
      ...observe,
      scoring,
      rulesChange,
    })
    for (const [id, those] of applied.audiences) audiencesOf.set(id, those)
    rows = applied.states.get(record.observation.entityId) ?? before
    const [change] = applied.changes.map((one) => viewChange(withGroups(one, audiencesOf), reader(groups)))
    if (change === 'wide') throw new Error('so few claims are carried')
    const readable = rows.filter(({ audience }) => reader(groups)(audiencesOf.get(audience)!))
    const touched = readable.some(({ version }) => version === record.offset + 1)
    const score = readable.length === 0 ? null : scoreIn(fold(readable, scoring))
    return { change: change ?? null, score, touched }
  })
}
const scoreIn = ({ reputation, accuracy }: Score): Score => ({ reputation, accuracy })

test('for any reports, rules and reader, what is told leads from the view under the old rules to the view under the new ones', () => {
  let told = 0
  fc.assert(
    fc.property(
      records,
      records,
      anyRules(SOURCES, ['ip']),
      anyRules(SOURCES, ['ip']),
      fc.subarray(['public', 'blue', 'red', 'green'], { minLength: 1 }),
      (first, then, old, rules, groups) => {
        const log = positioned([...first, ...then, rescored(), rescored()])
        const steps = followed(log, first.length, [old, rules], groups)
        let known: Score | null = null
        for (const [at, { change, score, touched }] of steps.entries()) {
          const moved =
            known !== null &&
            score !== null &&
            (known.reputation !== score.reputation || known.accuracy !== score.accuracy)
          if (change === null) {
            // Until a record touches what the reader reads, it is not told of the rules.
            expect(moved && touched).toBe(false)
            continue
          }
          expect(change.before === null ? null : scoreIn(change.before)).toEqual(known)
          expect(scoreIn(change.after)).toEqual(score)
          expect(change.kinds.includes('scored')).toBe(moved)
          if (change.reason === 'rescored') expect([moved, at >= first.length]).toEqual([true, true])
          told += Number(change.reason === 'rescored')
          known = scoreIn(change.after)
        }
        // The record of the promotion is the last that can tell anything, and tells nothing twice.
        expect(known).toEqual(steps.at(-1)!.score)
        expect(steps.at(-1)!.change).toBeNull()
        const { change } = steps.at(-2)!
        if (change !== null) expect([change.reason, change.kinds]).toEqual(['rescored', ['scored']])
      },
    ),
    { numRuns: 500 },
  )
  expect(told).toBeGreaterThan(50)
})

/** A mark is no secret of an audience: rows that come later have it from the rows that are there. */
const unmarked = fc
  .array(fc.oneof({ weight: 10, arbitrary: anyRecord }, { weight: 2, arbitrary: met }), { maxLength: 8 })
  .map((all) => all.filter(({ kind }) => kind !== 'well_known' && kind !== 'covered'))

test('for any reports, rules and reader, what others alone may read changes nothing of what is told', () => {
  fc.assert(
    fc.property(
      unmarked,
      unmarked,
      anyRules(SOURCES, ['ip']),
      anyRules(SOURCES, ['ip']),
      fc.subarray(['public', 'blue', 'red'], { minLength: 1 }),
      (first, then, old, rules, groups) => {
        const log = positioned([...first, ...then, rescored()])
        const visible = log.filter(({ observation: { audience } }) => audience.length === 0 || reader(groups)(audience))
        const told = (some: readonly Positioned[]) =>
          followed(some, first.length, [old, rules], groups).flatMap(({ change }) => (change === null ? [] : [change]))
        expect(told(log)).toEqual(told(visible))
      },
    ),
    { numRuns: 300 },
  )
})
