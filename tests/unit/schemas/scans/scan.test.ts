import { describe, expect, test } from 'vitest'
import {
  MAX_RETRIES,
  next,
  SCAN_EVENTS,
  SCAN_STATES,
  type ScanEvent,
  type ScanPhase,
  type ScanStatus,
  STUCK_MS,
} from '../../../../schemas/scans/scan.ts'

const NOW = 1_800_000_000_000

const task = (given: Partial<ScanPhase>): ScanPhase => ({
  status: 'running',
  retries: 0,
  since: NOW - 1_000,
  leaseUntil: NOW + 1_000,
  ...given,
})

/** Every state, and every event that means something there; all others mean nothing. */
const TABLE: Record<ScanStatus, Partial<Record<ScanEvent, [ScanStatus, publish: boolean, retries?: number]>>> = {
  new: { published: ['queued', false] },
  queued: { taken: ['running', false] },
  running: {
    finished: ['done', false],
    failed: ['queued', true, 1],
    refused: ['permanent_failure', false],
    released: ['queued', true],
  },
  done: { asked: ['queued', true] },
  permanent_failure: { asked: ['queued', true] },
}

describe('a scan that just began its state', () => {
  for (const status of SCAN_STATES)
    for (const event of SCAN_EVENTS) {
      const want = TABLE[status][event]
      test(`${status}, ${event}: ${want?.[0] ?? 'unchanged'}`, () => {
        expect(next(task({ status }), event, NOW)).toEqual(
          want === undefined ? null : { status: want[0], retries: want[2] ?? 0, publish: want[1] },
        )
      })
    }
})

describe('a run that does not end well', () => {
  const cases: { name: string; given: Partial<ScanPhase>; event: ScanEvent; ends: boolean }[] = [
    { name: 'its worker gave no sign until now', given: { leaseUntil: NOW }, event: 'expired', ends: true },
    { name: 'its worker has a moment left', given: { leaseUntil: NOW + 1 }, event: 'expired', ends: false },
    { name: 'it runs for four hours', given: { since: NOW - STUCK_MS }, event: 'stuck', ends: true },
    { name: 'it runs for a moment less', given: { since: NOW - STUCK_MS + 1 }, event: 'stuck', ends: false },
    { name: 'it failed', given: {}, event: 'failed', ends: true },
  ]
  for (const { name, given, event, ends } of cases)
    for (let retries = 0; retries <= MAX_RETRIES; retries++)
      test(`${name}, after ${retries} retries`, () => {
        const queued = { status: 'queued', retries: retries + 1, publish: true }
        const over = { status: 'permanent_failure', retries, publish: false }
        const want = retries < MAX_RETRIES ? queued : over
        expect(next(task({ ...given, retries }), event, NOW)).toEqual(ends ? want : null)
      })

  for (const status of SCAN_STATES.filter((state) => state !== 'running'))
    test(`means nothing to a task that is ${status}, however old it is`, () => {
      const old = task({ status, since: 0, leaseUntil: 0 })
      expect(['failed', 'expired', 'stuck'].map((event) => next(old, event as ScanEvent, NOW))).toEqual([
        null,
        null,
        null,
      ])
    })
})

test('asked for again, a task has all of its retries', () => {
  expect(next(task({ status: 'permanent_failure', retries: 2 }), 'asked', NOW)?.retries).toBe(0)
})

test('the constants are those of specification 8.4', () => {
  expect([STUCK_MS, MAX_RETRIES]).toEqual([4 * 3_600_000, 2])
})
