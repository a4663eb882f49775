import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evidence } from '../../../../../schemas/intelligence/scoring/evidence.ts'
import { type ScoredClaim, score } from '../../../../../schemas/intelligence/scoring/score.ts'
import { DAY, NOW } from '../../../../builders/intelligence/observation.ts'
import { anyRules } from '../../../../builders/intelligence/rules.ts'

const claims = fc.array(
  fc.record({
    source: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    reputation: fc.option(fc.integer({ min: -3, max: 3 })),
    trust: fc.double({ min: 0.001, max: 1, noNaN: true }),
    at: fc.integer({ min: NOW - 400 * DAY, max: NOW + DAY }),
  }),
  { maxLength: 12 },
)
const types = fc.constantFrom('ip', 'domain', 'cidr', 'sha256')
const halfLives: Record<string, number> = { ip: 7, domain: 14, cidr: 30, sha256: 180 }

const roundHalfAway = (x: number): number => {
  const size = Math.round(Math.abs(x) * 1e9) / 1e9
  return Math.sign(x) * Math.floor(size + 0.5) + 0
}
const sum = (of: readonly number[]): number => of.reduce((a, b) => a + b, 0)

test('the contributions add up to the score', () => {
  fc.assert(
    fc.property(types, claims, (type, given) => {
      const told = evidence(type, given, NOW)
      const { reputation, accuracy, best, worst } = score(type, given, NOW)
      expect(told).toMatchObject({ reputation: reputation + 0, accuracy, best, worst })
      expect(roundHalfAway(told.fade * sum(told.claims.map((c) => c.contribution)))).toBe(reputation + 0)
    }),
    { numRuns: 500 },
  )
})

test('the contributions add up to the score under any rules', () => {
  fc.assert(
    fc.property(types, claims, anyRules(['a', 'b', 'c', 'd'], Object.keys(halfLives)), (type, given, rules) => {
      const told = evidence(type, given, NOW, rules)
      const { reputation, accuracy, best, worst } = score(type, given, NOW, rules)
      expect(told).toMatchObject({ reputation: reputation + 0, accuracy, best, worst })
      expect(roundHalfAway(told.fade * sum(told.claims.map((c) => c.contribution)))).toBe(reputation + 0)
      for (const { weight, trust, claim } of told.claims)
        if (claim.reputation !== null) expect(weight).toBeLessThanOrEqual(trust)
    }),
    { numRuns: 500 },
  )
})

test('each weight is trust times two to the minus age over half-life, and the shares are all of it', () => {
  fc.assert(
    fc.property(types, claims, (type, given) => {
      const told = evidence(type, given, NOW)
      const stated = told.claims.filter(({ claim }) => claim.reputation !== null)
      for (const { claim, weight, share, contribution, live } of stated) {
        const freshness = 2 ** (-Math.max(0, NOW - claim.at) / (halfLives[type]! * DAY))
        expect(weight).toBeCloseTo(claim.trust * freshness, 12)
        expect(contribution).toBe(share * claim.reputation!)
        expect(live).toBe(2 * freshness >= 0.125)
      }
      if (stated.length > 0) expect(sum(stated.map(({ share }) => share))).toBeCloseTo(1, 9)
      expect(told.claims).toHaveLength(given.length)
    }),
  )
})

test('claims come by weight, and sightings count for nothing', () => {
  fc.assert(
    fc.property(types, claims, (type, given) => {
      const weights = evidence(type, given, NOW).claims.map(({ weight }) => weight)
      expect(weights).toEqual(weights.toSorted((a, b) => b - a))
    }),
  )
  const sighting: ScoredClaim = { source: 'a', reputation: null, trust: 0.9, at: NOW }
  expect(evidence('ip', [sighting], NOW)).toEqual({
    reputation: 0,
    accuracy: 0,
    best: 0,
    worst: 0,
    fade: 0,
    claims: [{ claim: sighting, trust: 0.9, weight: 0, share: 0, contribution: 0, live: false }],
  })
})

test.each([
  [0, -3, 1],
  [7, -3, 1],
  [14, -2, 0.5],
  [28, 0, 0.125],
])('a single -3 on an ip after %i days: %i, of which %d holds', (days, reputation, fade) => {
  const told = evidence('ip', [{ source: 'a', reputation: -3, trust: 0.6, at: NOW - days * DAY }], NOW)
  expect(told).toMatchObject({ reputation, fade, claims: [{ share: 1, contribution: -3 }] })
})

test('claims whose weight has become nothing share nothing', () => {
  const old = { source: 'a', reputation: -3, trust: 0.6, at: NOW - 40_000 * DAY }
  expect(evidence('ip', [old], NOW)).toMatchObject({ reputation: 0, claims: [{ share: 0, weight: 0, live: false }] })
})
