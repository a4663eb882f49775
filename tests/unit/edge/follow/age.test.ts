import { describe, expect, test } from 'vitest'
import { listAge, type Moment, type StoredAge } from '../../../../edge/follow/age.ts'

const START: Moment = { boot: 'one', upSeconds: 1_000, wall: 1_800_000_000_000 }
const HOUR_MS = 3_600_000

/** An age at moments that a test names. */
function at(stored: StoredAge | null, first: Moment = START) {
  let now = first
  const age = listAge(stored, () => now)
  const move = (to: Partial<Moment>): void => {
    now = { ...now, ...to }
  }
  return { age, move }
}

const seconds = (stored: StoredAge | null, now: Partial<Moment>): number | null => {
  const { age, move } = at(stored)
  move(now)
  return age.seconds()
}

test('of a platform that never answered there is none, and nothing is kept', () => {
  expect([at(null).age.seconds(), at(null).age.stored()]).toEqual([null, null])
})

describe('in one process', () => {
  test('it is the time since the last answer', () => {
    const { age, move } = at(null)
    age.answered()
    expect(age.seconds()).toBe(0)
    move({ upSeconds: 1_010.5 })
    expect(age.seconds()).toBe(10.5)
    age.answered()
    expect(age.seconds()).toBe(0)
  })

  test.each([-24 * HOUR_MS, 24 * HOUR_MS, Number.NaN])('a clock that is set by %d ms does not move it', (by) => {
    const { age, move } = at(null)
    age.answered()
    move({ upSeconds: 1_007, wall: START.wall + by })
    expect(age.seconds()).toBe(7)
  })
})

describe('over a restart of the process', () => {
  const stored: StoredAge = { ...START, age: 100 }

  test.each([0, -24 * HOUR_MS, 24 * HOUR_MS])('with a clock that was set by %d ms it goes on', (by) => {
    expect(seconds(stored, { upSeconds: 1_060, wall: START.wall + 60_000 + by })).toBe(160)
  })

  test('again and again it adds up', () => {
    let kept: StoredAge = stored
    for (let i = 1; i <= 5; i++) {
      const { age, move } = at(kept)
      move({ upSeconds: 1_000 + 10 * i, wall: START.wall - i * HOUR_MS })
      kept = age.stored()!
    }
    expect(kept.age).toBe(150)
  })

  test('an answer makes it young again', () => {
    const { age } = at(stored)
    age.answered()
    expect(age.stored()).toEqual({ ...START, age: 0 })
  })
})

describe('over a start of the machine', () => {
  const stored: StoredAge = { ...START, age: 100 }

  test('it is what the clock says', () => {
    expect(seconds(stored, { boot: 'two', upSeconds: 30, wall: START.wall + HOUR_MS })).toBe(3_700)
  })

  test('with a clock that was set back it is at least the time since that start', () => {
    expect(seconds(stored, { boot: 'two', upSeconds: 30, wall: START.wall - HOUR_MS })).toBe(130)
  })

  test('that has no name it is told by the time since it', () => {
    const nameless: StoredAge = { ...stored, boot: '' }
    expect(seconds(nameless, { boot: '', upSeconds: 30, wall: START.wall + HOUR_MS })).toBe(3_700)
    expect(seconds(nameless, { boot: '', upSeconds: 1_060, wall: START.wall + HOUR_MS })).toBe(160)
  })

  test('is never younger than it was', () => {
    for (const boot of ['one', 'two'])
      for (const upSeconds of [0, 30, 999, 1_000, 5_000])
        for (const wall of [0, START.wall - HOUR_MS, START.wall, START.wall + HOUR_MS])
          expect(seconds(stored, { boot, upSeconds, wall })).toBeGreaterThanOrEqual(100)
  })
})
