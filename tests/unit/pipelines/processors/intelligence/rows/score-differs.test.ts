import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scoreOf } from '../../../../../../pipelines/processors/intelligence/rescore.ts'
import { scoreDiffers } from '../../../../../../pipelines/processors/intelligence/rows/score-differs.ts'
import { BUILT_IN, type ScoringRules } from '../../../../../../schemas/intelligence/scoring/rules.ts'
import { applyFloor, score } from '../../../../../../schemas/intelligence/scoring/score.ts'
import { DAY, NOW } from '../../../../../builders/intelligence/observation.ts'
import { anyRules } from '../../../../../builders/intelligence/rules.ts'

const SOURCES = ['s1', 'feed:a', 'feed:b']
const claim = fc.record({
  source: fc.constantFrom(...SOURCES),
  kind: fc.constantFrom('user' as const, 'feed' as const),
  trust: fc.constantFrom(0.3, 0.6, 1),
  reputation: fc.option(fc.integer({ min: -3, max: 3 })),
  at: fc.integer({ min: NOW - 60 * DAY, max: NOW }),
})
const row = fc.record({
  entityId: fc.constant('ip-1'),
  type: fc.constant('ip'),
  value: fc.constant('8.8.8.8'),
  wellKnown: fc.boolean(),
  covered: fc.constant(false),
  verdict: fc.constant(null),
  retracted: fc.constant(false),
  scoredAt: fc.constant(NOW),
  claims: fc.array(claim, { maxLength: 3 }),
})
const rowsOf = (given: readonly (typeof row extends fc.Arbitrary<infer T> ? T : never)[], rules: ScoringRules) =>
  given.map((one, n) => ({ ...one, audience: BigInt(n + 1), ...scoreOf(one as never, rules) }))

/** Every choice of some of these. */
const choices = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: 2 ** all.length - 1 }, (_, n) => all.filter((_, i) => ((n + 1) >> i) % 2 === 1))

test('an entity is told when any reader of some of its rows is shown another score, and else not', () => {
  let told = 0
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 4 }),
      anyRules(SOURCES, ['ip']),
      anyRules(SOURCES, ['ip']),
      (given, before, after) => {
        // Another way to a score: all claims of a choice at once.
        const shown = (rows: typeof given, rules: ScoringRules) => {
          const { reputation, accuracy } = score(
            'ip',
            rows.flatMap(({ claims }) => claims),
            NOW,
            rules,
          )
          return [
            applyFloor(
              reputation,
              rows.some(({ wellKnown }) => wellKnown),
            ),
            accuracy,
          ]
        }
        const want = choices(given).some((rows) => shown(rows, before).join() !== shown(rows, after).join())
        expect(scoreDiffers(rowsOf(given, after), before, after)).toBe(want)
        told += Number(want)
      },
    ),
    { numRuns: 500 },
  )
  expect(told).toBeGreaterThan(100)
})

test('an entity of very many rows is told where it may be in vain, and one without rows never', () => {
  const [some] = fc.sample(row, { numRuns: 1, seed: 1 })
  const many = rowsOf(
    Array.from({ length: 7 }, () => some!),
    BUILT_IN,
  )
  expect(scoreDiffers(many, BUILT_IN, BUILT_IN)).toBe(true)
  expect(scoreDiffers(many.slice(1), BUILT_IN, BUILT_IN)).toBe(false)
  expect(scoreDiffers([], BUILT_IN, BUILT_IN)).toBe(false)
})
