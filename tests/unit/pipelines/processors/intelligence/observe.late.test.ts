import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { reevaluationRecord } from '../../../../../pipelines/processors/intelligence/reevaluate.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { type EntityStates, withRow } from '../../../../../schemas/intelligence/state/entity-state.ts'
import type { HistoryRecord } from '../../../../../schemas/intelligence/state/stored.ts'
import { DAY, HOUR, NOW, observation } from '../../../../builders/intelligence/observation.ts'

const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const about = observation()

type Logged = { observation: Observation; loggedAt?: number }

/** What is known after these records, each applied alone, and the records that the history has of them. */
function after(logged: readonly Logged[]) {
  let states: EntityStates = []
  const history: HistoryRecord[] = []
  for (const [offset, one] of logged.entries()) {
    const record = { ...one, partition: 3, offset, audience: audienceId(one.observation.audience) }
    const applied = applyBatch(new Map([[about.entityId, states]]), [record], rules)
    for (const row of applied.rows) states = withRow(states, row)
    history.push(...applied.history)
  }
  return { row: states[0]!, history }
}

test('a report of the past has faded when it is first seen, and its record keeps what it said then', () => {
  const loggedAt = NOW + 15 * DAY
  const { row, history } = after([{ observation: about, loggedAt }])
  // An address loses half of its weight in seven days: -3, then -2 from day 9 on, then -1.
  expect(row.reputation).toBe(-1)
  expect(row).toMatchObject({ lastSeen: NOW, firstSeen: NOW, scoredAt: loggedAt })
  expect(row.due).toBeGreaterThan(loggedAt)
  expect(history).toMatchObject([{ accuracy: 1 }])
})

test('a report that the log takes at once is scored as of its own time', () => {
  for (const loggedAt of [undefined, NOW, NOW + HOUR]) {
    const { row } = after([{ observation: about, ...(loggedAt === undefined ? {} : { loggedAt }) }])
    expect(row).toMatchObject({ reputation: -3, scoredAt: NOW })
  }
})

test('whatever the past says, it shows as it does after a tick when the last of it was logged', () => {
  const claims = fc.array(
    fc.record({
      days: fc.integer({ min: 0, max: 60 }),
      source: fc.constantFrom('feed:a', 'feed:b', 'feed:c'),
      reputation: fc.constantFrom(-3, -2, -1, 1, 3),
      trust: fc.constantFrom(0.3, 0.6, 0.9),
    }),
    { minLength: 1, maxLength: 8 },
  )
  fc.assert(
    fc.property(claims, (all) => {
      const end = NOW + 60 * DAY
      const observations = all.map(({ days, ...said }, i) =>
        observation({ id: `0199d3a4-5b6c-7d8e-9f00-00000000000${i}`, observedAt: NOW + days * DAY, ...said }),
      )
      const late = after(observations.map((one) => ({ observation: one, loggedAt: end }))).row
      const ticked = after([
        ...observations.map((one) => ({ observation: one })),
        { observation: reevaluationRecord(about, end) },
      ]).row
      const shown = ({ reputation, accuracy, best, worst, sources, due, claims: said }: typeof late) => ({
        scores: [reputation, accuracy, best, worst, sources, due],
        claims: [...said].sort((a, b) => a.source.localeCompare(b.source)),
      })
      expect(shown(late)).toEqual(shown(ticked))
    }),
    { numRuns: 300 },
  )
})
