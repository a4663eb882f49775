import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { gathered } from '../../../../../api/http/answers/respond.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
afterEach(() => void vi.useRealTimers())

const connection = () => ({ cork: vi.fn<() => void>(), uncork: vi.fn<() => void>() })

test('a connection is held once until the moment is over, however often it is written to', () => {
  const [gather, one, other] = [gathered(20), connection(), connection()]
  gather(one)
  vi.advanceTimersByTime(15)
  gather(one)
  gather(other)
  expect([one.cork, one.uncork, other.cork].map(({ mock }) => mock.calls.length)).toEqual([1, 0, 1])
  vi.advanceTimersByTime(5)
  expect([one.uncork, other.uncork].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

test('what comes later waits for a moment of its own', () => {
  const [gather, one] = [gathered(20), connection()]
  gather(one)
  vi.advanceTimersByTime(20)
  gather(one)
  expect(one.cork).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(19)
  expect(one.uncork).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  expect(one.uncork).toHaveBeenCalledTimes(2)
})
