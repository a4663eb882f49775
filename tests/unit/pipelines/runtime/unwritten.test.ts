import { expect, test } from 'vitest'
import { unwritten } from '../../../../pipelines/runtime/unwritten.ts'

function setUp(says: string | null = 'start 1') {
  const state = { says, now: 1_000_000 }
  return {
    state,
    known: unwritten(
      () => state.says,
      () => state.now,
    ),
  }
}

test('an answer holds until something is written', () => {
  const { known, state } = setUp()
  expect(known.holds()).toBe(false)
  known.asking()()
  expect(known.holds()).toBe(true)
  state.says = 'start 2'
  expect(known.holds()).toBe(false)
})

test('what is written while the store answers makes the answer one of before', () => {
  const { known, state } = setUp()
  const answered = known.asking()
  state.says = 'start 2'
  answered()
  expect(known.holds()).toBe(false)
})

test('while the store is asked again, and when it did not answer, nothing holds', () => {
  const { known } = setUp()
  known.asking()()
  known.asking()
  expect(known.holds()).toBe(false)
})

test('no answer holds for longer than 30 s, than it was said to, or under a clock that was set back', () => {
  const { known, state } = setUp()
  known.asking()()
  state.now += 29_999
  expect(known.holds()).toBe(true)
  state.now += 1
  expect(known.holds()).toBe(false)
  known.asking()(state.now + 5_000)
  state.now += 4_999
  expect(known.holds()).toBe(true)
  state.now += 1
  expect(known.holds()).toBe(false)
  known.asking()()
  state.now -= 1
  expect(known.holds()).toBe(false)
})

test('where nobody says whether something was written, nothing holds', () => {
  const { known, state } = setUp(null)
  known.asking()()
  expect(known.holds()).toBe(false)
  known.asking()
  state.says = 'start 1'
  expect(known.holds()).toBe(false)
  expect(unwritten(undefined, () => 0).holds()).toBe(false)
})
