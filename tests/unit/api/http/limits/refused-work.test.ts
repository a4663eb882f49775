import { expect, test } from 'vitest'
import { refusedWork } from '../../../../../api/http/limits/refused-work.ts'

const MIB = 1024 * 1024

test('who sends one refused body after the other waits, and others do not', () => {
  let now = 0
  const work = refusedWork({ now: () => now })
  let sent = 0
  const admitted = (): boolean => {
    try {
      work.admit('a')
      return true
    } catch (error) {
      expect(error).toMatchObject({ code: 'rate_limited', status: 429, retryAfter: 1 })
      return false
    }
  }
  for (; admitted(); sent++) work.add('a', MIB, 5)
  expect(sent).toBe(20)
  work.admit('b')
  // Half a second of work is given back in ten seconds.
  for (now = 10_000; admitted(); sent++) work.add('a', MIB, 5)
  expect(sent).toBe(40)
})

test('nobody waits longer than ten seconds, whatever was sent', () => {
  const work = refusedWork({ now: () => 0 })
  work.add('a', Number.MAX_SAFE_INTEGER, 1e9)
  expect(() => work.admit('a')).toThrow(expect.objectContaining({ status: 429, retryAfter: 11 }))
})

test('small bodies that are wrong cost next to nothing', () => {
  const work = refusedWork({ now: () => 0 })
  for (let i = 0; i < 2_000; i++) {
    work.admit('a')
    work.add('a', 200, 0.1)
  }
})
