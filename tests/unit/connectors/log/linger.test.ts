import { expect, test } from 'vitest'
import { linger } from '../../../../connectors/log/linger.ts'

const STRETCH = { fromRecords: 50, withinMs: () => 450 }

test('without a stretch the wait is always the same', () => {
  const pace = linger({ lingerMs: 200 })
  pace.took(10_000, 30)
  expect(pace.waitMs()).toBe(200)
})

test('after a portion of many records, wait and batch together take what the stretch allows', () => {
  const pace = linger({ lingerMs: 200, stretch: STRETCH })
  pace.took(50, 100)
  expect(pace.waitMs()).toBe(350)
})

test('a trickle waits as long as without a stretch, also after a burst', () => {
  const pace = linger({ lingerMs: 200, stretch: STRETCH })
  pace.took(1_000, 10)
  pace.took(49, 10)
  expect(pace.waitMs()).toBe(200)
})

test('batches that take longer than the stretch leaves shorten no wait below the linger', () => {
  const pace = linger({ lingerMs: 200, stretch: STRETCH })
  pace.took(1_000, 2_000)
  expect(pace.waitMs()).toBe(200)
})

test('a slow batch is expected again for a while, and then forgotten', () => {
  const pace = linger({ lingerMs: 0, stretch: STRETCH })
  pace.took(100, 300)
  pace.took(100, 50)
  expect(pace.waitMs()).toBe(240)
  for (let batch = 0; batch < 20; batch++) pace.took(100, 50)
  expect(pace.waitMs()).toBe(400)
})

test('what the stretch allows is asked for after each portion', () => {
  let withinMs = 450
  const pace = linger({ lingerMs: 200, stretch: { fromRecords: 50, withinMs: () => withinMs } })
  pace.took(100, 100)
  withinMs = 900
  pace.took(100, 100)
  expect(pace.waitMs()).toBe(800)
})
