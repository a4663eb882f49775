import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recentSteps } from '../../../../../pipelines/processors/feeds-out/guard.ts'
import type { DeltaOp, FeedDelta } from '../../../../../schemas/feeds-out/delta.ts'
import { DEFAULT_GUARD } from '../../../../../schemas/feeds-out/feed.ts'

const MINUTE = 60_000
const delta = (op: DeltaOp, entityId: string) => ({ op, item: { entityId } }) as FeedDelta
const some = (op: DeltaOp, from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => delta(op, `e${from + i}`))

test('more than half of a list may not go within a minute, half may', () => {
  const recent = recentSteps()
  expect(recent.exceeds(DEFAULT_GUARD, 200, some('remove', 0, 100), 0)).toBe(false)
  expect(recent.exceeds(DEFAULT_GUARD, 200, some('remove', 0, 101), 0)).toBe(true)
})

test('the list of a minute ago is what a step is compared with', () => {
  const recent = recentSteps()
  recent.note(some('remove', 0, 90), 0)
  expect(recent.exceeds(DEFAULT_GUARD, 110, some('remove', 90, 101), MINUTE - 1)).toBe(true)
  expect(recent.exceeds(DEFAULT_GUARD, 110, some('remove', 90, 101), MINUTE)).toBe(false)
})

test('a list may grow fourfold and not more, and lists below the bound are not guarded', () => {
  const recent = recentSteps()
  expect(recent.exceeds(DEFAULT_GUARD, 100, some('add', 0, 300), 0)).toBe(false)
  expect(recent.exceeds(DEFAULT_GUARD, 100, some('add', 0, 301), 0)).toBe(true)
  expect(recent.exceeds(DEFAULT_GUARD, 99, some('add', 0, 5_000), 0)).toBe(false)
})

test('what goes and comes back is not lost, and what is exchanged for others is', () => {
  const recent = recentSteps()
  recent.note([...some('remove', 0, 90), ...some('add', 0, 90)], 0)
  expect(recent.exceeds(DEFAULT_GUARD, 100, some('remove', 90, 100), 1)).toBe(false)
  const exchanged = [...some('remove', 0, 60), ...some('add', 200, 260)]
  expect(recentSteps().exceeds(DEFAULT_GUARD, 100, exchanged, 0)).toBe(true)
})

test('for any steps the answer is that of a comparison of the two lists', () => {
  const moves = fc.array(
    fc.record({ id: fc.integer({ min: 0, max: 40 }), after: fc.integer({ min: 0, max: 30_000 }) }),
    {
      maxLength: 60,
    },
  )
  fc.assert(
    fc.property(moves, fc.float({ min: 0, max: 1, noNaN: true }), (given, loss) => {
      const recent = recentSteps()
      const guard = { loss, gain: 2, from: 5 }
      const list = new Set(Array.from({ length: 20 }, (_, i) => `e${i}`))
      const past: { until: number; list: Set<string> }[] = []
      let now = 0
      for (const { id, after } of given) {
        past.push({ until: now + after, list: new Set(list) })
        now += after
        const entityId = `e${id}`
        const next = delta(list.has(entityId) ? 'remove' : 'add', entityId)
        const then = past.find(({ until }) => until > now - MINUTE)?.list ?? new Set(list)
        const will = new Set(list)
        if (next.op === 'add') will.add(entityId)
        else will.delete(entityId)
        const lost = [...then].filter((one) => !will.has(one)).length
        const want = then.size >= guard.from && (lost > guard.loss * then.size || will.size > guard.gain * then.size)
        expect(recent.exceeds(guard, list.size, [next], now)).toBe(want)
        recent.note([next], now)
        if (next.op === 'add') list.add(entityId)
        else list.delete(entityId)
      }
    }),
    { numRuns: 300 },
  )
})
