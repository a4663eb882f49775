import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextStep, PER_MINUTE, type Queue } from '../../../../../schemas/casework/deliveries/plan.ts'

const NOW = Date.UTC(2026, 2, 1, 12, 30)
const MINUTE = 60_000

const queue = (given: Partial<Queue> = {}): Queue => ({
  digest: 'none',
  recent: [],
  fresh: 0,
  gatherUntil: null,
  storms: 0,
  retryAt: null,
  held: false,
  ...given,
})

const filled = (n: number, at = NOW - 1_000) => Array.from({ length: n }, () => at)
const none = { until: null, storms: 0 }
const HOUR = Date.UTC(2026, 2, 1, 13)

const cases: { name: string; given: Partial<Queue>; want: ReturnType<typeof nextStep> }[] = [
  { name: 'nothing waits: it rests', given: {}, want: { does: 'rest', until: null, gathering: none } },
  { name: 'one alert waits: it is sent', given: { fresh: 1 }, want: { does: 'send' } },
  { name: 'as many as a minute takes are sent one by one', given: { fresh: PER_MINUTE }, want: { does: 'send' } },
  {
    name: 'one more is a storm, which becomes one digest and gathers for a minute',
    given: { fresh: PER_MINUTE + 1 },
    want: { does: 'fold', gathering: { until: NOW + MINUTE, storms: 1 } },
  },
  {
    name: 'what was sent within the minute counts',
    given: { fresh: 2, recent: filled(PER_MINUTE - 1) },
    want: { does: 'fold', gathering: { until: NOW + MINUTE, storms: 1 } },
  },
  {
    name: 'what was sent before the minute does not',
    given: { fresh: 2, recent: filled(PER_MINUTE - 1, NOW - MINUTE) },
    want: { does: 'send' },
  },
  {
    name: 'a full minute waits until its first delivery is a minute old',
    given: { fresh: 5, recent: filled(PER_MINUTE) },
    want: { does: 'rest', until: NOW - 1_000 + MINUTE, gathering: none },
  },
  {
    name: 'a storm that gathers rests',
    given: { fresh: 61, gatherUntil: NOW + 5, storms: 1 },
    want: { does: 'rest', until: NOW + 5, gathering: { until: NOW + 5, storms: 1 } },
  },
  {
    name: 'a storm that goes on gathers for twice as long',
    given: { fresh: 61, gatherUntil: NOW, storms: 1 },
    want: { does: 'fold', gathering: { until: NOW + 2 * MINUTE, storms: 2 } },
  },
  {
    name: 'never for more than sixteen minutes',
    given: { fresh: 61, gatherUntil: NOW, storms: 40 },
    want: { does: 'fold', gathering: { until: NOW + 16 * MINUTE, storms: 41 } },
  },
  {
    name: 'what a storm leaves is its last digest',
    given: { fresh: 3, gatherUntil: NOW, storms: 2 },
    want: { does: 'fold', gathering: none },
  },
  {
    name: 'a storm that left nothing is over',
    given: { gatherUntil: NOW, storms: 2 },
    want: { does: 'rest', until: null, gathering: none },
  },
  {
    name: 'an hourly digest waits for the full hour',
    given: { digest: 'hourly', fresh: 1 },
    want: { does: 'rest', until: HOUR, gathering: { until: HOUR, storms: 0 } },
  },
  {
    name: 'and goes out then, even with one alert',
    given: { digest: 'hourly', fresh: 1, gatherUntil: NOW },
    want: { does: 'fold', gathering: none },
  },
  {
    name: 'a failed delivery holds back what is fresh',
    given: { fresh: 5, retryAt: NOW + 30_000, held: true },
    want: { does: 'rest', until: NOW + 30_000, gathering: none },
  },
  { name: 'until it is due', given: { fresh: 5, retryAt: NOW, held: true }, want: { does: 'retry' } },
  { name: 'one that was passed does not', given: { fresh: 5, retryAt: NOW + 30_000 }, want: { does: 'send' } },
  { name: 'but goes first once it is due', given: { fresh: 5, retryAt: NOW - 1 }, want: { does: 'retry' } },
]

describe('the next step for a destination', () => {
  for (const { name, given, want } of cases) test(name, () => expect(nextStep(queue(given), NOW)).toEqual(want))
})

/** A receiver that takes everything at once, in model time: alerts come at these moments. */
function simulated(arrivals: readonly number[], digest: Queue['digest']) {
  const state = { ...queue({ digest }), recent: [] as number[] }
  const sent: { at: number; alerts: number }[] = []
  let pending = 0
  let next = 0
  let now = arrivals[0] ?? 0
  for (let n = 0; n < 1_000_000; n++) {
    while (next < arrivals.length && arrivals[next]! <= now) {
      pending++
      next++
    }
    const step = nextStep({ ...state, fresh: Math.min(pending, PER_MINUTE + 1) }, now)
    if (step.does === 'rest') {
      state.gatherUntil = step.gathering.until
      state.storms = step.gathering.storms
      const coming = arrivals[next] ?? null
      if (step.until === null && coming === null) return { sent, pending }
      now = Math.min(step.until ?? Infinity, coming ?? Infinity)
      continue
    }
    const alerts = step.does === 'fold' ? pending : 1
    if (step.does === 'fold') {
      state.gatherUntil = step.gathering.until
      state.storms = step.gathering.storms
    }
    pending -= alerts
    sent.push({ at: now, alerts })
    state.recent = [...state.recent.filter((at) => at > now - MINUTE), now]
  }
  throw new Error('the model does not come to rest')
}

describe('over time', () => {
  test('however alerts come, none is lost and no minute has more than sixty deliveries', () => {
    const bursts = fc.array(
      fc.record({ after: fc.integer({ min: 0, max: 400_000 }), alerts: fc.integer({ min: 1, max: 500 }) }),
      { minLength: 1, maxLength: 30 },
    )
    fc.assert(
      fc.property(bursts, fc.constantFrom('none', 'hourly', 'daily' as const), (all, digest) => {
        let at = NOW
        const arrivals = all.flatMap(({ after, alerts }) => {
          at += after
          return Array.from({ length: alerts }, () => at)
        })
        const { sent, pending } = simulated(arrivals, digest)
        expect(pending).toBe(0)
        expect(sent.reduce((sum, { alerts }) => sum + alerts, 0)).toBe(arrivals.length)
        for (const [i, { at: since }] of sent.entries())
          expect((sent[i + PER_MINUTE]?.at ?? Infinity) - since).toBeGreaterThanOrEqual(MINUTE)
      }),
      { numRuns: 200 },
    )
  })

  test('an import that makes 100,000 alerts within twenty minutes makes fewer than twenty deliveries', () => {
    const arrivals = Array.from({ length: 100_000 }, (_, i) => NOW + Math.floor(i / 85) * 1_000)
    const { sent } = simulated(arrivals, 'none')
    expect(sent.length).toBeLessThan(20)
    expect(sent.reduce((sum, { alerts }) => sum + alerts, 0)).toBe(100_000)
  })
})
