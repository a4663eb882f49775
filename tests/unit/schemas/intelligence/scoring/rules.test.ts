import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BUILT_IN, parseRules, readRules } from '../../../../../schemas/intelligence/scoring/rules.ts'
import { type ScoredClaim, score } from '../../../../../schemas/intelligence/scoring/score.ts'
import { weigh } from '../../../../../schemas/intelligence/scoring/weights.ts'
import { DAY, NOW } from '../../../../builders/intelligence/observation.ts'
import { anyRules } from '../../../../builders/intelligence/rules.ts'

const SOURCES = ['a', 'b', 'c', 'feed:x']
const claims = fc.array(
  fc.record({
    source: fc.constantFrom(...SOURCES),
    kind: fc.constantFrom('customer' as const, 'feed' as const, 'trusted' as const),
    reputation: fc.option(fc.integer({ min: -3, max: 3 })),
    trust: fc.double({ min: 0.001, max: 1, noNaN: true }),
    at: fc.integer({ min: NOW - 400 * DAY, max: NOW + DAY }),
  }),
  { maxLength: 12 },
)
const types = fc.constantFrom('ip', 'url', 'domain', 'email', 'cidr', 'sha256', 'payload', 'cve', 'malware')

/** The score of decisions 4 in one piece, as it was before there were rules. */
function plainScore(type: string, given: readonly ScoredClaim[]) {
  const days = /^(ip|url)$/.test(type)
    ? 7
    : /^(domain|email)$/.test(type)
      ? 14
      : /^(sha256|payload)$/.test(type)
        ? 180
        : 30
  const stated = given
    .filter((c) => c.reputation !== null)
    .map((c) => {
      const freshness = 2 ** (-Math.max(0, NOW - c.at) / (days * DAY))
      return { source: c.source, trust: c.trust, said: c.reputation!, freshness, weight: c.trust * freshness }
    })
    .sort((a, b) => a.weight - b.weight || a.said - b.said)
  const sum = stated.reduce((s, c) => s + c.weight * c.said, 0)
  const total = stated.reduce((s, c) => s + c.weight, 0)
  return {
    total,
    mean: total > 0 ? sum / total : 0,
    fade: Math.min(1, 2 * Math.max(0, ...stated.map((c) => c.freshness))),
  }
}

test('the rules that the platform comes with are the formula bit for bit, and so are rules that only name themselves', () => {
  const named = readRules({ id: 'same' })
  fc.assert(
    fc.property(types, claims, (type, given) => {
      const { total, mean, fade } = weigh(type, given, NOW)
      expect({ total, mean, fade }).toEqual(plainScore(type, given))
      expect(weigh(type, given, NOW, BUILT_IN)).toEqual(weigh(type, given, NOW))
      expect(score(type, given, NOW, named)).toEqual(score(type, given, NOW))
    }),
    { numRuns: 1000 },
  )
})

describe('trust', () => {
  const claim = (given: Partial<ScoredClaim>): ScoredClaim => ({
    source: 'feed:x',
    kind: 'feed',
    reputation: -3,
    trust: 0.6,
    at: NOW,
    ...given,
  })
  const weightOf = (c: ScoredClaim, trust: Record<string, number>) =>
    weigh('ip', [c], NOW, readRules({ id: 'r', trust })).claims[0]!.weight
  const cases: { name: string; c: ScoredClaim; trust: Record<string, number>; want: number }[] = [
    {
      name: 'is that of the claim when the rules name neither source nor kind',
      c: claim({}),
      trust: { 'feed:y': 0.1 },
      want: 0.6,
    },
    { name: 'is that of the kind', c: claim({}), trust: { 'kind:feed': 0.2 }, want: 0.2 },
    {
      name: 'is that of the source before that of its kind',
      c: claim({}),
      trust: { 'kind:feed': 0.2, 'feed:x': 1 },
      want: 1,
    },
    {
      name: 'of a source that is named like a property of every object is its own',
      c: claim({ source: 'constructor' }),
      trust: { 'kind:user': 0.2 },
      want: 0.6,
    },
  ]
  for (const { name, c, trust, want } of cases) test(`${name}`, () => expect(weightOf(c, trust)).toBe(want))
  test('of the rules decides whether one source is believed alone', () => {
    const rules = readRules({ id: 'r', trust: { 'kind:feed': 0.8 } })
    expect(score('ip', [claim({})], NOW).accuracy).toBe(1)
    expect(score('ip', [claim({})], NOW, rules).accuracy).toBe(2)
  })
})

describe('formula 2, the median by weight', () => {
  const rules = readRules({ id: 'median', formula: 2 })
  const mean = (given: readonly ScoredClaim[]) => weigh('ip', given, NOW, rules).mean
  const of = (...said: [number, number][]) =>
    mean(said.map(([reputation, trust], i) => ({ source: `s${i}`, reputation, trust, at: NOW })))
  const cases: { name: string; said: [number, number][]; want: number }[] = [
    { name: 'of nothing is 0', said: [], want: 0 },
    { name: 'of one is what it says', said: [[-3, 0.1]], want: -3 },
    {
      name: 'of opposites of equal weight is 0',
      said: [
        [-3, 0.5],
        [3, 0.5],
      ],
      want: 0,
    },
    {
      name: 'between two of one sign is the nearer to 0',
      said: [
        [-3, 0.5],
        [-1, 0.5],
      ],
      want: -1,
    },
    {
      name: 'between two positive ones too',
      said: [
        [1, 0.5],
        [3, 0.5],
      ],
      want: 1,
    },
    {
      name: 'follows the greater weight',
      said: [
        [-3, 0.6],
        [3, 0.5],
      ],
      want: -3,
    },
    {
      name: 'is where the weight on both sides is less than half',
      said: [
        [-3, 0.4],
        [1, 0.3],
        [3, 0.4],
      ],
      want: 1,
    },
  ]
  for (const { name, said, want } of cases) test(name, () => expect(of(...said) + 0).toBe(want))

  test('does not depend on the order, and lies between the least and the greatest that is said', () => {
    fc.assert(
      fc.property(claims, fc.integer({ min: 1 }), (given, by) => {
        const said = given.flatMap((c) => c.reputation ?? [])
        const turned = given.map((c, i) => ({ c, at: (i * by) % 13 })).sort((a, b) => a.at - b.at)
        expect(mean(turned.map(({ c }) => c))).toBe(mean(given))
        if (said.length === 0) return
        // A tie between both signs is 0, which nobody may have said.
        expect(mean(given)).toBeGreaterThanOrEqual(Math.min(...said))
        expect(mean(given)).toBeLessThanOrEqual(Math.max(...said))
      }),
      { numRuns: 1000 },
    )
  })

  test('has no more than half of the weight on either side', () => {
    fc.assert(
      fc.property(claims, (given) => {
        const { claims: weighed, total, mean: middle } = weigh('ip', given, NOW, rules)
        const beyond = (side: (r: number) => boolean) =>
          weighed.filter((c) => side(c.reputation)).reduce((sum, c) => sum + c.weight, 0)
        expect(beyond((r) => r < middle)).toBeLessThanOrEqual(0.5 * total * (1 + 1e-9))
        expect(beyond((r) => r > middle)).toBeLessThanOrEqual(0.5 * total * (1 + 1e-9))
      }),
      { numRuns: 1000 },
    )
  })

  test('one source with less weight than all others together, however loud, leaves it among what they say', () => {
    fc.assert(
      fc.property(
        claims,
        fc.integer({ min: -3, max: 3 }),
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        (given, said, share) => {
          const others = given.filter((c) => c.reputation !== null)
          const { total } = weigh('ip', others, NOW, rules)
          fc.pre(others.length > 0 && total > 0.001)
          const loud = {
            source: 'loud',
            kind: 'feed' as const,
            reputation: said,
            trust: Math.min(1, share * total),
            at: NOW,
          }
          const middle = mean([...others, loud])
          const all = others.map((c) => c.reputation!)
          expect(middle).toBeGreaterThanOrEqual(Math.min(...all))
          expect(middle).toBeLessThanOrEqual(Math.max(...all))
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('rules as they are written', () => {
  test('say what they change, and leave the rest as it is', () => {
    const rules = readRules({ id: 'r', halfLives: { ip: 0.5, '*': 60 }, trust: { 'kind:feed': 1 } })
    expect(rules).toMatchObject({ id: 'r', formula: 1, trust: { 'kind:feed': 1 } })
    expect(rules.halfLives).toMatchObject({ ip: 0.5, url: 7, sha256: 180, '*': 60 })
  })

  test('may be written down and read again', () => {
    fc.assert(
      fc.property(anyRules(SOURCES), (rules) => {
        expect(parseRules(JSON.stringify(rules))).toEqual(rules)
      }),
    )
    expect(parseRules(JSON.stringify(BUILT_IN))).toEqual(BUILT_IN)
  })

  const faults = [
    { name: 'no object', given: [], says: 'rules: must be an object' },
    { name: 'no name', given: {}, says: /^id: / },
    { name: 'an unknown field', given: { id: 'r', halflife: {} }, says: 'halflife: unknown field' },
    { name: 'an unknown formula', given: { id: 'r', formula: 3 }, says: 'formula: 3 is unknown; expected 1 or 2' },
    {
      name: 'an unknown type',
      given: { id: 'r', halfLives: { ipv7: 3 } },
      says: 'halfLives.ipv7: unknown entity type',
    },
    { name: 'a half-life of 0', given: { id: 'r', halfLives: { ip: 0 } }, says: /^halfLives\.ip: 0 is out of range/ },
    {
      name: 'a half-life below 0',
      given: { id: 'r', halfLives: { '*': -1 } },
      says: /^halfLives\.\*: -1 is out of range/,
    },
    {
      name: 'a half-life that is a text',
      given: { id: 'r', halfLives: { ip: '7' } },
      says: 'halfLives.ip: "7" is not a number',
    },
    { name: 'half-lives that are a list', given: { id: 'r', halfLives: [7] }, says: 'halfLives: must be an object' },
    { name: 'a trust of 0', given: { id: 'r', trust: { 'feed:x': 0 } }, says: /^trust\.feed:x: 0 is out of range/ },
    {
      name: 'a trust above 1',
      given: { id: 'r', trust: { 'feed:x': 1.1 } },
      says: /^trust\.feed:x: 1\.1 is out of range/,
    },
    {
      name: 'a trust that is no number',
      given: { id: 'r', trust: { 'feed:x': null } },
      says: 'trust.feed:x: null is not a number',
    },
    {
      name: 'an unknown kind of source',
      given: { id: 'r', trust: { 'kind:friend': 1 } },
      says: /^trust\.kind:friend: unknown kind of source/,
    },
  ]
  for (const { name, given, says } of faults)
    test(`${name} is refused by name`, () => expect(() => readRules(given)).toThrow(says))
  test('every fault is told at once, and text that is no JSON too', () => {
    expect(() => readRules({ id: '', formula: 0 })).toThrow(/id: .*\nformula: /)
    expect(() => parseRules('{')).toThrow(/rules: not valid JSON/)
  })
})
