import { expect, test } from 'vitest'
import { type ProcessorTimes, saturation } from '../../../../connectors/availability/saturated.ts'

/** Two processors: what passes of the clock passes twice, and `idle` of it without work. */
function machine() {
  let clock = 0
  let times: ProcessorTimes = { total: 0, idle: 0 }
  const saturated = saturation(
    () => clock,
    () => times,
  )
  return (ms: number, idle: number): boolean => {
    clock += ms
    times = { total: times.total + 2 * ms, idle: times.idle + 2 * ms * idle }
    return saturated()
  }
}

test('a machine is saturated while its processors have less than a tenth of their time free', () => {
  const after = machine()
  expect(after(3_000, 0.05)).toBe(true)
  expect(after(3_000, 0.11)).toBe(false)
  expect(after(5_000, 0.9)).toBe(false)
  expect(after(3_000, 0)).toBe(true)
})

test('a moment does not count: the answer is that of the last three seconds', () => {
  const after = machine()
  expect(after(2_999, 0)).toBe(false)
  expect(after(1, 0)).toBe(true)
  expect(after(100, 1)).toBe(true)
  expect(after(2_900, 1)).toBe(false)
})

test('this machine says something', () => {
  let clock = 0
  const saturated = saturation(() => clock)
  clock = 3_000
  expect(typeof saturated()).toBe('boolean')
})
