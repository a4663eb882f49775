import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyFloor, type ScoredClaim, score } from '../../../../../schemas/intelligence/scoring/score.ts'
import { DAY, NOW } from '../../../../builders/intelligence/observation.ts'

const claim = (source: string, reputation: number | null, given: Partial<ScoredClaim> = {}): ScoredClaim => ({
  source,
  reputation,
  trust: 0.6,
  at: NOW,
  ...given,
})

const cases: { name: string; type?: string; claims: ScoredClaim[]; want: { reputation: number; accuracy: number } }[] =
  [
    { name: 'nothing known is neutral', claims: [], want: { reputation: 0, accuracy: 0 } },
    { name: 'a sighting alone is neutral', claims: [claim('a', null)], want: { reputation: 0, accuracy: 0 } },
    { name: 'one source says -3', claims: [claim('a', -3)], want: { reputation: -3, accuracy: 1 } },
    {
      name: 'one source of high trust',
      claims: [claim('a', -3, { trust: 0.8 })],
      want: { reputation: -3, accuracy: 2 },
    },
    { name: 'two sources agree', claims: [claim('a', -3), claim('b', -3)], want: { reputation: -3, accuracy: 2 } },
    {
      name: 'three sources agree',
      claims: [claim('a', -3), claim('b', -3), claim('c', -3)],
      want: { reputation: -3, accuracy: 3 },
    },
    {
      name: 'three agree, but less than three quarters of the weight',
      claims: [claim('a', -3), claim('b', -3), claim('c', -3), claim('d', 1), claim('e', 1)],
      want: { reputation: -1, accuracy: 2 },
    },
    {
      name: 'exactly three quarters of the weight agree',
      claims: [claim('a', -3), claim('b', -3), claim('c', -3), claim('d', 1)],
      want: { reputation: -2, accuracy: 3 },
    },
    {
      name: '-3 and +3 of equal weight',
      claims: [claim('a', -3), claim('b', 3)],
      want: { reputation: 0, accuracy: 0 },
    },
    { name: 'a claim of 0 agrees with a result of 0', claims: [claim('a', 0)], want: { reputation: 0, accuracy: 1 } },
    {
      name: 'the same source in two audiences is one source',
      claims: [claim('a', -3), claim('a', -3)],
      want: { reputation: -3, accuracy: 1 },
    },
    {
      name: 'a half is rounded away from zero',
      claims: [claim('a', -3), claim('b', -2)],
      want: { reputation: -3, accuracy: 2 },
    },
    ...[
      [0, -3],
      [7, -3],
      [14, -2],
      [21, -1],
      [28, 0],
    ].map(([days, reputation]) => ({
      name: `one -3 on an ip after ${days} days`,
      claims: [claim('a', -3, { at: NOW - days! * DAY })],
      want: { reputation: reputation!, accuracy: days === 28 ? 0 : 1 },
    })),
    {
      name: 'one -3 on a hash holds for 180 days',
      type: 'sha256',
      claims: [claim('a', -3, { at: NOW - 180 * DAY })],
      want: { reputation: -3, accuracy: 1 },
    },
    {
      name: 'a claim from the future is as fresh as one of now',
      claims: [claim('a', -3, { at: NOW + DAY })],
      want: { reputation: -3, accuracy: 1 },
    },
    {
      name: 'a claim of a century ago says nothing',
      claims: [claim('a', -3, { at: NOW - 40_000 * DAY })],
      want: { reputation: 0, accuracy: 0 },
    },
  ]

for (const { name, type = 'ip', claims, want } of cases)
  test(`score: ${name}`, () => expect(score(type, claims, NOW)).toMatchObject(want))

test('score: best and worst are those of live claims only', () => {
  const claims = [claim('a', 2), claim('b', -1), claim('c', -3, { at: NOW - 100 * DAY })]
  expect(score('ip', claims, NOW)).toMatchObject({ best: 2, worst: -1 })
})

test('floored: a well-known entity is never negative', () => {
  expect([applyFloor(-3, true), applyFloor(-3, false), applyFloor(2, true)]).toEqual([0, -3, 2])
})

describe('score, for any claims', () => {
  const anyClaims = fc.array(
    fc.record({
      source: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      reputation: fc.option(fc.integer({ min: -3, max: 3 })),
      trust: fc.double({ min: 0.05, max: 1, noNaN: true }),
      at: fc.integer({ min: NOW - 60 * DAY, max: NOW }),
    }),
    { maxLength: 12 },
  )

  test('does not depend on their order', () => {
    fc.assert(
      fc.property(anyClaims, fc.infiniteStream(fc.nat()), (claims, dice) => {
        const shuffled = claims.map((c) => ({ c, by: dice.next().value as number })).sort((x, y) => x.by - y.by)
        expect(
          score(
            'ip',
            shuffled.map((s) => s.c),
            NOW,
          ),
        ).toEqual(score('ip', claims, NOW))
      }),
    )
  })

  test('stays in range, between the worst and the best claim or nearer to 0', () => {
    fc.assert(
      fc.property(anyClaims, (claims) => {
        const said = claims.map((c) => c.reputation ?? 0)
        const { reputation, accuracy } = score('ip', claims, NOW)
        expect(reputation).toBeGreaterThanOrEqual(Math.min(0, ...said))
        expect(reputation).toBeLessThanOrEqual(Math.max(0, ...said))
        expect([0, 1, 2, 3]).toContain(accuracy)
        expect(Object.is(reputation, -0)).toBe(false)
      }),
    )
  })

  test('fades towards 0 when nobody refreshes them', () => {
    fc.assert(
      fc.property(anyClaims, fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 90 }), (claims, a, b) => {
        const [sooner, later] = [Math.min(a, b), Math.max(a, b)].map((d) =>
          Math.abs(score('ip', claims, NOW + d * DAY).reputation),
        )
        expect(later).toBeLessThanOrEqual(sooner!)
      }),
    )
  })
})
