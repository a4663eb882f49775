import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leavesAt } from '../../../../../pipelines/processors/exchange/leaves-at.ts'
import { scoreColumns } from '../../../../../pipelines/processors/intelligence/rows/score-columns.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { BUILT_IN, type ScoringRules } from '../../../../../schemas/intelligence/scoring/rules.ts'
import type { CompiledSelector } from '../../../../../schemas/intelligence/selectors/compile.ts'
import type { Claim, EntityState, HeldVerdict } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { fold, isRetracted } from '../../../../../schemas/intelligence/state/entity-view.ts'
import { heldAt } from '../../../../../schemas/intelligence/state/verdict.ts'
import { entityRow } from '../../../../builders/intelligence/entity-row.ts'
import { DAY, HOUR, NOW } from '../../../../builders/intelligence/observation.ts'
import { compiled } from '../../../../builders/intelligence/selectors/view.ts'

const ID = entityId('ip', '192.0.2.1')
const WEEK = 7 * DAY

const claim = (given: Partial<Claim> = {}): Claim => ({
  source: 's1',
  kind: 'user',
  trust: 0.6,
  reputation: -3,
  claimedAt: NOW,
  at: NOW,
  keptAt: NOW,
  keptHash: 1n,
  firstSeen: NOW,
  ...given,
})

const row = (given: Partial<EntityState> = {}): EntityState =>
  entityRow({
    entityId: ID,
    value: '192.0.2.1',
    firstSeen: NOW,
    lastSeen: NOW,
    scoredAt: NOW,
    claims: [claim()],
    ...given,
  })

/** The rows as the job that lets scores fade would leave them at a moment. */
const rowsAt = (rows: readonly EntityState[], at: number, rules: ScoringRules): EntityState[] =>
  rows.map((one) => {
    const held = { ...one, verdict: heldAt(one.verdict, at) }
    return { ...held, ...scoreColumns(one.type, one.claims, at, held, rules) }
  })

function holdsAt(rows: readonly EntityState[], selector: CompiledSelector, at: number, rules = BUILT_IN): boolean {
  if (isRetracted(rows)) return false
  return selector.holds({ ...fold(rowsAt(rows, at, rules), rules), retracted: false }, at)
}

const SELECTORS = [
  { reputation: { lte: -1 } },
  { reputation: { lte: -3 } },
  { reputation: { gte: -2, lte: -1 } },
  { reputation: { lte: -1 }, accuracy: { gte: 2 } },
  { accuracy: { gte: 1, lte: 2 }, wellKnown: 'any' },
  { reputation: { lte: 0 } },
  { reputation: { lte: -1 }, seenWithin: '36h' },
  { reputation: { lte: -2 }, seenWithin: '30d', wellKnown: 'any' },
].map(compiled)
const RULES: readonly ScoringRules[] = [
  BUILT_IN,
  { ...BUILT_IN, id: 'median', formula: 2 },
  { ...BUILT_IN, id: 'short', halfLives: { ip: 0.001 }, trust: { 'kind:user': 0.9 } },
]

const anyClaim = fc.record({
  source: fc.constantFrom('a', 'b', 'c', 'd'),
  reputation: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(-3, -2, null)),
  trust: fc.constantFrom(0.3, 0.6, 0.9),
  at: fc.oneof(fc.constant(NOW), fc.integer({ min: NOW - 4 * WEEK, max: NOW })),
})
const anyVerdict = fc.option(
  fc.record({
    reputation: fc.constantFrom(-3, 3),
    at: fc.integer({ min: NOW - WEEK, max: NOW }),
    until: fc.oneof(fc.constant(0), fc.integer({ min: NOW + 1, max: NOW + 2 * WEEK })),
  }) satisfies fc.Arbitrary<HeldVerdict>,
  { freq: 4 },
)
const anyRow = fc.record({
  claims: fc.uniqueArray(anyClaim, { maxLength: 4, selector: ({ source }) => source }),
  verdict: anyVerdict,
  retracted: fc.constantFrom(false, false, false, true),
  wellKnown: fc.constantFrom(false, false, false, false, true),
})
/** Rows of several audiences, as they are stored now. */
const anyRows = fc.array(anyRow, { minLength: 1, maxLength: 3 }).map((given) =>
  given.map(({ claims, ...rest }, n) => {
    const told = claims.map(claim)
    const lastSeen = Math.max(NOW - 4 * WEEK, ...told.map(({ at }) => at))
    return row({ ...rest, audience: BigInt(n + 1), claims: told, lastSeen })
  }),
)

test('the selector holds until the moment that is named, and not at it', () => {
  let [leaving, staying] = [0, 0]
  const property = fc.property(
    anyRows,
    fc.constantFrom(...SELECTORS),
    fc.constantFrom(...RULES),
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
    (given, selector, rules, parts) => {
      const rows = rowsAt(given, NOW, rules)
      const stay = leavesAt(rows, selector, rules, NOW)
      const holds = (at: number): boolean => holdsAt(rows, selector, at, rules)
      expect(stay !== null).toBe(holds(NOW))
      if (stay === null) return
      const until = stay.until === 0 ? NOW + 400 * DAY : stay.until
      if (stay.until === 0) staying++
      else {
        leaving++
        expect(until).toBeGreaterThan(NOW)
        expect(holds(until)).toBe(false)
      }
      for (const part of [1, ...parts]) expect(holds(NOW + Math.floor((until - NOW - 1) * part))).toBe(true)
    },
  )
  fc.assert(property, { numRuns: 4_000, seed: 1522 })
  expect([leaving > 500, staying > 100]).toEqual([true, true])
})

const LEAVES_ALONE = compiled({ reputation: { lte: -3 } })
const until = (rows: readonly EntityState[], selector = LEAVES_ALONE, now = NOW) =>
  leavesAt(rows, selector, BUILT_IN, now)?.until

test('a later sighting moves the end by as much', () => {
  const at = (time: number): EntityState[] => rowsAt([row({ claims: [claim({ at: time })] })], time, BUILT_IN)
  expect(until(at(NOW + DAY), LEAVES_ALONE, NOW + DAY)! - until(at(NOW))!).toBe(DAY)
})

test('when a verdict ends, an earlier one of another customer may still hold', () => {
  const verdict = (n: number, end: number) =>
    row({ audience: BigInt(n), verdict: { reputation: -3, at: NOW - HOUR + n, until: end }, claims: [] })
  const rows = [verdict(1, NOW + 2 * DAY), verdict(2, NOW + DAY)]
  expect(until(rowsAt(rows, NOW, BUILT_IN))).toBe(NOW + 2 * DAY)
})

test('a match that its reader sees counts as seen, and what was taken back does not', () => {
  const selector = compiled({ seenWithin: '24h', reputation: { lte: -1 } })
  const own = rowsAt([row()], NOW, BUILT_IN)[0]!
  const taken = row({ audience: 2n, retracted: true, claims: [], lastSeen: NOW + 2 * HOUR })
  expect(leavesAt([own, taken], selector, BUILT_IN, NOW)).toEqual({ until: NOW + DAY, lastSeen: NOW })
  const met = { ...taken, met: true }
  const stay = { until: NOW + DAY + 2 * HOUR, lastSeen: NOW + 2 * HOUR }
  expect(leavesAt([own, met], selector, BUILT_IN, NOW)).toEqual(stay)
})

test('what should have left, while no row says so yet, stays no longer than now', () => {
  const stale = rowsAt([row()], NOW, BUILT_IN)
  const end = until(stale)!
  expect(until(stale, LEAVES_ALONE, end - 1)).toBe(end)
  for (const late of [end, end + DAY]) expect(until(stale, LEAVES_ALONE, late)).toBe(late)
})
