import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BUILT_IN, type ScoringRules } from '../../../../../schemas/intelligence/scoring/rules.ts'
import { type ScoredClaim, score } from '../../../../../schemas/intelligence/scoring/score.ts'
import { standingOf } from '../../../../../schemas/intelligence/scoring/standing.ts'
import { DAY, NOW } from '../../../../builders/intelligence/observation.ts'

const claim = (source: string, reputation: number | null, days = 0): ScoredClaim => ({
  source,
  reputation,
  trust: 0.6,
  at: NOW - days * DAY,
})

describe('where the sources of an entity stand', () => {
  test('each source counts once, on the side that its live claim takes', () => {
    const claims = [
      claim('a', -3),
      claim('a', -2, 1),
      claim('b', -1, 2),
      claim('c', 2),
      claim('d', 0),
      claim('e', null),
    ]
    expect(standingOf('ip', claims, NOW)).toMatchObject({ sources: 5, bad: 2, good: 1, neutral: 1, expired: 0 })
  })

  test('a source whose claims are no longer live is counted as expired', () => {
    const claims = [claim('a', -3), claim('b', -3, 40), claim('c', null, 40)]
    expect(standingOf('ip', claims, NOW)).toMatchObject({ sources: 3, bad: 1, expired: 1 })
  })

  test('the newest report is of those that agree with the score, else of any', () => {
    expect(standingOf('ip', [claim('a', -3, 2), claim('b', 1, 1), claim('c', null)], NOW).newest).toBe(NOW - 2 * DAY)
    expect(standingOf('ip', [claim('c', null, 3)], NOW).newest).toBe(NOW - 3 * DAY)
    expect(standingOf('ip', [], NOW)).toEqual({
      sources: 0,
      bad: 0,
      good: 0,
      neutral: 0,
      expired: 0,
      newest: null,
      next: null,
    })
  })

  const rules: ScoringRules[] = [BUILT_IN, { ...BUILT_IN, id: 'median', formula: 2 }]
  test('the next reputation is that of the score at that moment, and of no moment before', () => {
    const drawn = fc.record({
      source: fc.constantFrom('a', 'b', 'c'),
      reputation: fc.option(fc.integer({ min: -3, max: 3 })),
      trust: fc.double({ min: 0.05, max: 1, noNaN: true }),
      at: fc.integer({ min: NOW - 60 * DAY, max: NOW }),
    })
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 8 }), fc.constantFrom(...rules), (claims, by) => {
        const { next } = standingOf('ip', claims, NOW, by)
        const at = (time: number) => score('ip', claims, time, by).reputation
        if (next === null) expect(at(NOW + 1_000 * DAY)).toBe(at(NOW))
        else {
          expect(at(next.at)).toBe(next.reputation)
          expect(next.reputation).not.toBe(at(NOW))
          expect(at(Math.max(NOW, next.at - 1))).toBe(at(NOW))
        }
      }),
    )
  })
})
