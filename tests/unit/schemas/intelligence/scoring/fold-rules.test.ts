import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldRulesOf, scoringOf } from '../../../../../schemas/intelligence/scoring/fold-rules.ts'
import { BUILT_IN } from '../../../../../schemas/intelligence/scoring/rules.ts'
import { score } from '../../../../../schemas/intelligence/scoring/score.ts'
import { DAY, NOW } from '../../../../builders/intelligence/observation.ts'
import { anyRules } from '../../../../builders/intelligence/rules.ts'

const SOURCES = ['s1', 'feed:a', 'feed:b', 'nobody']
const claim = fc.record({
  source: fc.constantFrom(...SOURCES.slice(0, 3)),
  kind: fc.constantFrom('user' as const, 'feed' as const),
  trust: fc.constantFrom(0.3, 0.6, 1),
  reputation: fc.option(fc.integer({ min: -3, max: 3 })),
  at: fc.integer({ min: NOW - 300 * DAY, max: NOW }),
})

test('what of any rules concerns some claims scores them as the whole rules do', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('ip', 'domain', 'cve'),
      fc.array(claim, { maxLength: 6 }),
      fc.oneof(anyRules(SOURCES), fc.constant(BUILT_IN)),
      (type, claims, rules) => {
        const some = scoringOf(foldRulesOf(type, claims, rules))
        expect(score(type, claims, NOW, some)).toEqual(score(type, claims, NOW, rules))
      },
    ),
  )
})

test('trusts of sources that claim nothing are left out', () => {
  const trust = { s1: 0.5, nobody: 0.1, 'kind:feed': 0.9, 'kind:user': 0.2 }
  const rules = { ...BUILT_IN, formula: 2 as const, trust }
  const found = foldRulesOf('ip', [{ source: 's1', kind: 'feed' }], rules)
  expect(found).toEqual({ formula: 2, halfLife: BUILT_IN.halfLives.ip, trust: { s1: 0.5, 'kind:feed': 0.9 } })
})
