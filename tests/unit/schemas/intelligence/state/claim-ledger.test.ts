import fc from 'fast-check'
import { expect, test } from 'vitest'
import { claimLedger } from '../../../../../schemas/intelligence/state/claim-ledger.ts'
import type { Claim } from '../../../../../schemas/intelligence/state/entity-state.ts'

const claim = (source: string, at: number): Claim => ({
  source,
  kind: 'user',
  trust: 0.6,
  reputation: -3,
  claimedAt: at,
  at,
  keptAt: at,
  keptHash: 0n,
  firstSeen: at,
})

test('each list of claims is what it was when its last claim was put, whenever it is asked for', () => {
  const sources = fc.array(fc.nat(9), { maxLength: 80, size: 'max' })
  fc.assert(
    fc.property(sources, fc.nat(3), fc.array(fc.boolean(), { minLength: 80, maxLength: 80 }), (put, first, asks) => {
      let want: readonly Claim[] = Array.from({ length: first }, (_, i) => claim(`s${i}`, 0))
      const ledger = claimLedger(want)!
      const lists = put.map((n, i) => {
        const said = claim(`s${n}`, i + 1)
        want = [...want.filter((c) => c.source !== said.source), said]
        const then = ledger.put(said)
        expect(ledger.size).toBe(want.length)
        expect(ledger.of(said.source)).toBe(said)
        if (asks[i]) expect(then()).toEqual(want)
        return { then, want }
      })
      for (const { then, want } of lists) expect(then()).toEqual(want)
    }),
  )
})

test('claims of which two have one source have no ledger', () => {
  expect(claimLedger([claim('a', 1), claim('a', 2)])).toBeNull()
})
