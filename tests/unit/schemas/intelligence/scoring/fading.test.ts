import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { halfLifeDays } from '../../../../../schemas/intelligence/entities/half-life.ts'
import { nextChange } from '../../../../../schemas/intelligence/scoring/fading.ts'
import { type ScoredClaim, score } from '../../../../../schemas/intelligence/scoring/score.ts'
import { DAY, NOW } from '../../../../builders/intelligence/observation.ts'

const claim = (reputation: number | null, given: Partial<ScoredClaim> = {}): ScoredClaim => ({
  source: 's1',
  reputation,
  trust: 0.6,
  at: NOW,
  ...given,
})

/** The first moment of a walk at which the score is another than at `from`; null: not in a hundred half-lives. */
function walked(type: string, claims: readonly ScoredClaim[], from: number): { before: number; after: number } | null {
  const life = halfLifeDays(type) * DAY
  const now = JSON.stringify(score(type, claims, from))
  const same = (time: number): boolean => JSON.stringify(score(type, claims, time)) === now
  const step = life / 97
  for (let time = from; time < from + 6 * life; time += step) {
    if (same(time + step)) continue
    // The last moment of the old score: halved until the two are neighbours.
    let [low, high] = [Math.floor(time), Math.ceil(time + step)]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (same(middle)) low = middle
      else high = middle
    }
    return { before: low, after: high }
  }
  return same(from + 100 * life) ? null : { before: from + 6 * life, after: from + 100 * life }
}

describe('the next change of a score by time alone', () => {
  const cases: { name: string; type?: string; claims: ScoredClaim[]; days: number | null }[] = [
    { name: 'never comes without claims', claims: [], days: null },
    { name: 'never comes for a sighting', claims: [claim(null)], days: null },
    { name: 'of -3 is -2', claims: [claim(-3)], days: 7 * (1 + Math.log2(3 / 2.5)) },
    { name: 'of 1 is 0, after two half-lives', claims: [claim(1)], days: 14 },
    { name: 'counts in the half-life of the type', type: 'sha256', claims: [claim(1)], days: 360 },
    { name: 'of 0 is an accuracy of 0, when the claim is not live any more', claims: [claim(0)], days: 28 },
    {
      name: 'may be the loss of the second source',
      claims: [claim(-1), claim(-1, { source: 's2', at: NOW - 27 * DAY })],
      days: 1,
    },
    { name: 'never comes when all of it is long over', claims: [claim(-3, { at: NOW - 40_000 * DAY })], days: null },
  ]
  for (const { name, type = 'ip', claims, days } of cases)
    test(name, () => {
      const next = nextChange(type, claims, NOW)
      if (days === null) expect(next).toBeNull()
      else {
        expect(next! - NOW).toBeGreaterThanOrEqual(days * DAY)
        // Half a grain of the rounding, which a long half-life draws out to milliseconds.
        expect(next! - NOW - days * DAY).toBeLessThan(50)
      }
    })

  const claims = fc.array(
    fc.record({
      source: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      reputation: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(null, -3, -1, 0)),
      trust: fc.oneof(fc.constantFrom(0.6, 0.7, 0.8, 0.9, 1), fc.double({ min: 0.01, max: 1, noNaN: true })),
      /** Half-lives ago; some at one moment. */
      age: fc.oneof(fc.constantFrom(0, 1, 2, 4), fc.double({ min: 0, max: 6, noNaN: true }), fc.constant(700)),
    }),
    { maxLength: 7 },
  )

  test('is the first moment at which a walk through time finds another score', () => {
    fc.assert(
      fc.property(claims, fc.constantFrom('ip', 'domain', 'cidr', 'sha256'), (given, type) => {
        const told = given.map(({ age, ...c }) => ({ ...c, at: Math.round(NOW - age * halfLifeDays(type) * DAY) }))
        const next = nextChange(type, told, NOW)
        const found = walked(type, told, NOW)
        if (found === null) expect(next).toBeNull()
        else {
          expect(next).toBeGreaterThan(found.before)
          expect(next).toBeLessThanOrEqual(found.after + 1)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('followed from one to the next ends in a few steps, with nothing known', () => {
    fc.assert(
      fc.property(claims, (given) => {
        const told = given.map(({ age, ...c }) => ({ ...c, at: Math.round(NOW - age * 7 * DAY) }))
        let steps = 0
        let time = NOW
        for (let next = nextChange('ip', told, time); next !== null; next = nextChange('ip', told, time)) {
          expect(score('ip', told, next)).not.toEqual(score('ip', told, time))
          time = next
          expect(++steps).toBeLessThan(20)
        }
        expect(score('ip', told, time)).toEqual({ reputation: 0, accuracy: 0, best: 0, worst: 0 })
      }),
      { numRuns: 1_000 },
    )
  })
})
