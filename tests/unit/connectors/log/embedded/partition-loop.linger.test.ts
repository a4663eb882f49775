import { expect, test } from 'vitest'
import { linger } from '../../../../../connectors/log/embedded/partition-loop.ts'

const stretch = (rate: number): number => (rate >= 100 ? 450 : 0)

test('without a stretch the wait is always the same', () => {
  const pace = linger({ lingerMs: 200 })
  pace.took(10_000, 200, 30)
  expect(pace.waitMs()).toBe(200)
})

test('while many records come, wait and batch together take what the stretch allows', () => {
  const pace = linger({ lingerMs: 200, stretch })
  pace.took(100, 1_000, 100)
  expect(pace.waitMs()).toBe(350)
})

test('a trickle waits as long as without a stretch, also after a burst', () => {
  const pace = linger({ lingerMs: 200, stretch })
  pace.took(1_000, 200, 10)
  pace.took(99, 1_000, 10)
  expect(pace.waitMs()).toBe(200)
})

test('the first portion says nothing about how many come', () => {
  const pace = linger({ lingerMs: 200, stretch })
  pace.took(10_000, Number.POSITIVE_INFINITY, 10)
  expect(pace.waitMs()).toBe(200)
})

test('batches that take longer than the stretch leaves shorten no wait below the linger', () => {
  const pace = linger({ lingerMs: 200, stretch })
  pace.took(1_000, 200, 2_000)
  expect(pace.waitMs()).toBe(200)
})

test('a slow batch is expected again for a while, and then forgotten', () => {
  const pace = linger({ lingerMs: 0, stretch })
  pace.took(100, 100, 300)
  pace.took(100, 100, 50)
  expect(pace.waitMs()).toBe(240)
  for (let batch = 0; batch < 20; batch++) pace.took(100, 100, 50)
  expect(pace.waitMs()).toBe(400)
})

test('a wait ends sooner once the stretch allows less, also while it lasts', () => {
  let withinMs = 2_500
  const pace = linger({ lingerMs: 200, stretch: () => withinMs })
  pace.took(10_000, 2_500, 100)
  expect(pace.waitMs()).toBe(2_400)
  withinMs = 400
  expect(pace.waitMs()).toBe(300)
})
