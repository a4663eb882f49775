import fc from 'fast-check'
import { expect, test } from 'vitest'
import { halfLifeDays } from '../../../../../schemas/intelligence/entities/half-life.ts'
import { nextChangeOf } from '../../../../../schemas/intelligence/scoring/fading.ts'
import { BUILT_IN } from '../../../../../schemas/intelligence/scoring/rules.ts'
import { scoreOfWeights } from '../../../../../schemas/intelligence/scoring/score.ts'
import { scoreOfOne } from '../../../../../schemas/intelligence/scoring/single.ts'
import { weigh } from '../../../../../schemas/intelligence/scoring/weights.ts'
import { DAY, NOW } from '../../../../builders/intelligence/observation.ts'

const claims = fc.record({
  source: fc.constantFrom('s1', 's2'),
  kind: fc.constantFrom('feed' as const, 'user' as const),
  reputation: fc.oneof(fc.constant(null), fc.integer({ min: -3, max: 3 })),
  trust: fc.oneof(fc.constantFrom(0.5, 0.7, 0.8, 1, Number.MIN_VALUE), fc.double({ min: 1e-9, max: 1, noNaN: true })),
  at: fc.integer({ min: NOW - 1_500 * DAY, max: NOW }),
})
const rules = fc.constantFrom(BUILT_IN, { ...BUILT_IN, trust: { s1: 0.9, 'kind:feed': 0.1 } })
const types = fc.constantFrom('ip', 'domain', 'cidr', 'md5', 'text')

test('one claim has the score of a list of one, to the last bit, at any age and under any trust', () => {
  fc.assert(
    fc.property(
      types,
      claims,
      fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 * DAY })),
      rules,
      (...given) => {
        const [type, claim, later, by] = given
        const now = claim.at + later
        const days = halfLifeDays(type, by)
        const weights = weigh(type, [claim], now, by)
        const score = scoreOfWeights(weights)
        const next = nextChangeOf(weights, score.reputation, days, now)
        expect(scoreOfOne(claim, days, now, by)).toEqual({ ...score, next })
      },
    ),
    { numRuns: 5_000 },
  )
})
