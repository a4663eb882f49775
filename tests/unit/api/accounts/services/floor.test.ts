import { expect, test } from 'vitest'
import { noEarlier } from '../../../../../api/accounts/services/floor.ts'

/** A clock that moves by what is waited for, and by what the work takes. */
function clock() {
  let at = 1_000
  const work = (ms: number): void => {
    at += ms
  }
  return { now: () => at, pause: async (ms: number) => work(ms), work }
}

test.each([0, 1, 99])('an answer after %i ms of work comes after 100', async (ms) => {
  const time = clock()
  await noEarlier(time, 100, async () => time.work(ms))
  expect(time.now()).toBe(1_100)
})

test('a failure comes no earlier, and work that takes longer is not made longer', async () => {
  const time = clock()
  const failing = noEarlier(time, 100, async () => {
    time.work(3)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(time.now()).toBe(1_100)
  await noEarlier(time, 100, async () => time.work(250))
  expect(time.now()).toBe(1_350)
})
