import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../../../../api/http/errors.ts'
import { takeUpTo } from '../../../../../api/http/limits/up-to.ts'
import type { Enforce } from '../../../../../api/http/middleware/limits.ts'

const LIMIT = { service: 'ingest-api', features: ['bulk_lines_per_minute'] } as const
const caller = { user: null, ip: '192.0.2.1' }

/** A window with so many units left; `told` is what its refusals say is left. */
function windowOf(left: number, told = (real: number) => real) {
  let calls = 0
  const enforce: Enforce = async (_limit, _user, _ip, units = 1) => {
    calls++
    const fits = units <= left
    if (fits) left -= units
    const headers = { 'ratelimit-remaining': String(told(left)), 'ratelimit-reset': '17' }
    return { refusal: fits ? null : new ApiError('rate_limited'), headers, giveBack: () => headers }
  }
  return { enforce, left: () => left, calls: () => calls }
}

test('as many units as there are, in few questions, and when there are more', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(5_000), fc.integer({ min: 1, max: 5_000 }), async (left, most) => {
      const window = windowOf(left)
      const { taken, againMs } = await takeUpTo(window.enforce, LIMIT, caller, most)
      expect(taken).toBe(Math.min(left, most))
      expect(againMs).toBe(taken < most ? 17_000 : 0)
      expect(window.calls()).toBeLessThanOrEqual(2)
    }),
  )
})

test('what a refusal says is left may be gone: fewer are taken, never too many, and it ends', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(5_000), fc.integer({ min: 1, max: 5_000 }), fc.nat(10_000), async (left, most, lie) => {
      const window = windowOf(left, () => lie)
      const { taken } = await takeUpTo(window.enforce, LIMIT, caller, most)
      expect(taken).toBeLessThanOrEqual(Math.min(left, most))
      expect(window.left()).toBe(left - taken)
      expect(window.calls()).toBeLessThan(20)
    }),
  )
})

test('a caller without limits has all of them', async () => {
  expect(await takeUpTo(async () => null, LIMIT, caller, 9)).toEqual({ taken: 9, againMs: 0 })
})
