import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lane } from '../../../../../../schemas/intelligence/scoring/many/lane.ts'
import type { ScoredClaim } from '../../../../../../schemas/intelligence/scoring/score.ts'

const claims = fc.uniqueArray(
  fc.record({
    source: fc.nat(5_000),
    at: fc.oneof(fc.nat(3), fc.nat(100_000)),
    reputation: fc.integer({ min: -3, max: -1 }),
  }),
  { selector: (c) => c.source, minLength: 1, maxLength: 900, size: 'max' },
)

test('claims are in the order of their times however they came and went, and blocks know what is in them', () => {
  fc.assert(
    fc.property(claims, fc.nat(), (given, seed) => {
      const of = lane()
      const all = given.map((c): ScoredClaim => ({ ...c, source: `s${c.source}`, trust: 1 }))
      const gone = new Set(all.filter((_, i) => (i * 7919 + seed) % 3 === 0))
      for (const [i, claim] of all.entries()) {
        of.put(claim, i)
        if (i % 2 === 0 && gone.has(claim)) of.remove(claim)
      }
      for (const [i, claim] of all.entries()) if (i % 2 !== 0 && gone.has(claim)) of.remove(claim)
      const left = all.filter((c) => !gone.has(c)).sort((a, b) => a.at - b.at || (a.source < b.source ? -1 : 1))
      expect(of.blocks.flatMap((block) => block.claims)).toEqual(left)
      expect(of.size).toBe(left.length)
      expect(of.first()).toBe(left[0])
      for (const n of [0, 1, 2, left.length - 1]) expect(of.last(n)).toBe(left.at(-1 - n))
      for (const block of of.blocks) {
        const said = block.claims.map((c) => c.reputation!)
        expect([block.low, block.high]).toEqual([Math.min(...said), Math.max(...said)])
        expect(block.weight).toBe(block.claims.reduce((sum, c) => sum + all.indexOf(c), 0))
      }
      expect(of.blocks.length).toBeLessThanOrEqual(2 + (2 * left.length) / 32)
    }),
    { numRuns: 60 },
  )
})

test('a claim that is not there can not be taken away', () => {
  const of = lane()
  const claim: ScoredClaim = { source: 'a', reputation: -1, trust: 1, at: 1 }
  of.put(claim, 1)
  expect(() => of.remove({ ...claim })).toThrow('the claim of a is not in its lane')
})
