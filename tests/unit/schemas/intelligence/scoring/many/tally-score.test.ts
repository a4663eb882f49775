import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../../../../platform/random.ts'
import { halfLifeDays } from '../../../../../../schemas/intelligence/entities/half-life.ts'
import { nextChange } from '../../../../../../schemas/intelligence/scoring/fading.ts'
import { tallyOf } from '../../../../../../schemas/intelligence/scoring/many/tally.ts'
import { scoreOfTally } from '../../../../../../schemas/intelligence/scoring/many/tally-score.ts'
import { BUILT_IN, readRules, type ScoringRules } from '../../../../../../schemas/intelligence/scoring/rules.ts'
import { type ScoredClaim, score } from '../../../../../../schemas/intelligence/scoring/score.ts'
import { DAY, NOW } from '../../../../../builders/intelligence/observation.ts'
import { longer } from '../../../../../builders/platform/longer.ts'

const RULES: readonly ScoringRules[] = [
  BUILT_IN,
  readRules({ id: 'median', formula: 2 }),
  readRules({ id: 'trust', trust: { s1: 1, s2: 0.05, 'kind:feed': 0.4 } }),
  readRules({ id: 'both', formula: 2, trust: { s3: 0.9 }, halfLives: { ip: 0.01 } }),
  readRules({ id: 'long', halfLives: { ip: 3_650 } }),
]

const scratch = (claims: readonly ScoredClaim[], now: number, rules: ScoringRules) => ({
  ...score('ip', claims, now, rules),
  next: nextChange('ip', claims, now, rules),
})

/** What a source says some half-lives after what came last, or that it takes back what it said. */
function history(seed: number, sources: number) {
  const random = seededRandom(seed)
  const of = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  // Some histories lean to one side, so that all reputations and accuracies occur.
  const said = of([[-3], [-3, -3, -3, -3, 2], [-2, -1, 0, null], [1, 2, 3], [-3, -2, -1, 0, 1, 2, 3, null]])
  const pace = of([0, 0.00001, 0.001, 0.02])
  return () => ({
    source: `s${Math.floor(random() * sources)}`,
    reputation: of(said),
    trust: of([0.3, 0.6, 0.6, 0.8, 0.9, 1, random() || 1, 1e-9]),
    kind: of(['feed', 'user'] as const),
    passes: random() < 0.01 ? of([0.5, 3, 4, 25]) : pace * random(),
    late: random() < 0.1 ? of([0.01, 1, 3.99, 4, 9, 300]) : 0,
    gone: random() < 0.04,
  })
}

/** @returns in how many of the cases the tally could tell */
function compared(seed: number, sources: number, rules: ScoringRules, steps: number, every: number): number {
  const life = Math.round(halfLifeDays('ip', rules) * DAY)
  const next = history(seed, sources)
  let now = NOW
  let tally = tallyOf('ip', [], now, rules)
  const claims = new Map<string, ScoredClaim>()
  let told = 0
  for (let n = 0; n < steps; n++) {
    const { source, passes, late, gone, ...says } = next()
    now += Math.round(passes * life)
    const before = claims.get(source)
    const claim = { ...says, source, at: Math.max(before?.at ?? 0, now - Math.round(late * life)) }
    claims.delete(source)
    if (!gone) claims.set(source, claim)
    if (tally.serves(now)) {
      tally.advance(now)
      if (before !== undefined) tally.remove(before)
      if (!gone) tally.put(claim)
    } else tally = tallyOf('ip', [...claims.values()], now, rules)
    if (n % every > 0) continue
    const found = scoreOfTally(tally, now)
    if (found !== null) expect(found).toEqual(scratch([...claims.values()], now, rules))
    if (found !== null) told++
  }
  return told / Math.ceil(steps / every)
}

test('a tally gives what the claims give, to the millisecond, or says that it can not tell', () => {
  const shares: number[] = []
  const run = (runs: number, sources: number, steps: number, every: number): void =>
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(...RULES), (seed, rules) => {
        shares.push(compared(seed, sources, rules, steps, every))
      }),
      { numRuns: runs },
    )
  run(200, 5, 60, 1)
  run(longer(30), 90, 300, 1)
  run(longer(6), 1_500, 6_000, 60)
  // What it can not tell is left to the claims, and is rare.
  expect(shares.reduce((all, share) => all + share, 0) / shares.length).toBeGreaterThan(0.98)
})

test('a tally of claims that are all of one moment and in balance gives what they give', () => {
  for (const rules of RULES)
    for (const [some, others] of [
      [50, 50],
      [75, 25],
      [30, 90],
      [96, 32],
    ] as const) {
      const claims = Array.from(
        { length: some + others },
        (_, i): ScoredClaim => ({ source: `x${i}`, kind: 'user', reputation: i < some ? -3 : 3, trust: 0.6, at: NOW }),
      )
      const found = scoreOfTally(tallyOf('ip', claims, NOW, rules), NOW)
      expect(found).toEqual(scratch(claims, NOW, rules))
    }
})
