import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDifference } from '../../../../../cli/commands/rescore/register.ts'
import { rescoreRow, scoreOf } from '../../../../../pipelines/processors/intelligence/rescore.ts'
import { difference } from '../../../../../pipelines/processors/intelligence/rescore-difference.ts'
import { BUILT_IN, readRules } from '../../../../../schemas/intelligence/scoring/rules.ts'
import type { ScoredRow } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { entityRow } from '../../../../builders/intelligence/entity-row.ts'
import { DAY, NOW } from '../../../../builders/intelligence/observation.ts'
import { anyRules } from '../../../../builders/intelligence/rules.ts'

const SOURCES = ['s1', 'feed:a', 'feed:b']
const claim = fc.record({
  source: fc.constantFrom(...SOURCES),
  kind: fc.constantFrom('user' as const, 'feed' as const),
  trust: fc.constantFrom(0.3, 0.6, 1),
  reputation: fc.option(fc.integer({ min: -3, max: 3 })),
  at: fc.integer({ min: NOW - 60 * DAY, max: NOW }),
})
const rows: fc.Arbitrary<ScoredRow[]> = fc.array(
  fc
    .record({
      entityId: fc.nat(5).map((n) => `ip-${n}`),
      type: fc.constantFrom('ip', 'domain'),
      audience: fc.bigInt({ min: 1n, max: 3n }),
      wellKnown: fc.boolean(),
      covered: fc.constant(false),
      verdict: fc.constant(null),
      scoredAt: fc.constant(NOW),
      claims: fc.array(claim, { maxLength: 4 }),
    })
    .map((row) => ({ ...row, ...scoreOf(row, BUILT_IN) })),
  { maxLength: 30 },
)
const sum = (of: Record<string, number>): number => Object.values(of).reduce((a, b) => a + b, 0)

test('the figures of a difference belong together, for any rules and rows', () => {
  fc.assert(
    fc.property(rows, anyRules(SOURCES, ['ip', 'domain']), fc.nat(5), (given, rules, top) => {
      const sums = difference(BUILT_IN, rules, top)
      sums.add(given.map((row) => [row, scoreOf(row, rules)]))
      const d = sums.result()
      const moved = given.filter((row) => scoreOf(row, rules).reputation !== row.reputation)
      expect(d.rows).toBe(given.length)
      expect(d.reputation).toBe(moved.length)
      expect(Object.values(d.matrix).reduce((n, row) => n + sum(row), 0)).toBe(given.length)
      expect(Object.values(d.byType).reduce((n, row) => n + sum(row), 0)).toBe(moved.length)
      expect(d.movers).toHaveLength(Math.min(top, moved.length))
      const far = d.movers.map(({ from, to }) => Math.abs(to - from))
      expect(far).toEqual(far.toSorted((a, b) => b - a))
      const farthest = Math.max(0, ...moved.map((row) => Math.abs(scoreOf(row, rules).reputation - row.reputation)))
      if (far.length > 0) expect(far[0]).toBe(farthest)
      for (const { claims } of d.movers) expect(claims.length).toBeLessThanOrEqual(3)
    }),
  )
})

test('a row that is well known keeps its floor under any rules, and its version', () => {
  const row = entityRow({
    entityId: 'ip-1',
    version: 7,
    sources: 1,
    wellKnown: true,
    firstSeen: NOW,
    lastSeen: NOW,
    scoredAt: NOW,
    accuracy: 1,
    best: -3,
    worst: -3,
    claims: [
      {
        source: 'feed:a',
        kind: 'feed' as const,
        trust: 0.6,
        reputation: -3,
        claimedAt: NOW,
        at: NOW,
        keptAt: NOW,
        keptHash: 1n,
        firstSeen: NOW,
      },
    ],
  })
  const after = rescoreRow(row, readRules({ id: 'r', trust: { 'feed:a': 1 } }))
  expect(after).toEqual({ ...row, accuracy: 2, due: expect.any(Number) })
  expect(after.due).toBeGreaterThan(NOW)
})

test('what is printed names the movers, and what their claims weigh under both rules', () => {
  const row: ScoredRow = {
    entityId: 'ip-1',
    type: 'ip',
    audience: 1n,
    reputation: -3,
    accuracy: 1,
    wellKnown: false,
    covered: false,
    verdict: null,
    scoredAt: NOW,
    claims: [
      { source: 'feed:a', kind: 'feed', trust: 0.9, reputation: -3, at: NOW },
      { source: 's1', kind: 'user', trust: 0.6, reputation: 2, at: NOW },
      { source: 's2', kind: 'user', trust: 0.6, reputation: null, at: NOW },
    ],
  }
  const rules = readRules({ id: 'r', formula: 2, trust: { 'kind:feed': 0.1 } })
  const sums = difference(BUILT_IN, rules, 5)
  sums.add([[row, scoreOf(row, rules)]])
  const text = formatDifference(sums.result(), new Map([['ip-1', '8.8.8.8']]), 1.25)
  expect(text).toContain('1 entities in 1 rows')
  expect(text).toContain('0 become malicious, 1 are no longer')
  expect(text).toContain('ip 8.8.8.8: -3 -> 2')
  expect(text).toContain('feed:a says -3, weight 0.900 -> 0.100')
  expect(text).toContain('s1 says 2, weight 0.600 -> 0.600')
  expect(text).not.toContain('s2')
  expect(text).toMatch(/feed +\+5: 1\n/)
})
