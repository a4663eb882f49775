import { setImmediate as round } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newTurns } from '../../../../../../api/intelligence/services/bulk/portion.ts'

test('of many that have work, one at a time has a slice between two rounds of the event loop, each in its turn', async () => {
  const turn = newTurns()
  const slices: string[] = []
  const workers = ['a', 'b', 'c'].map(async (name) => {
    for (let n = 0; n < 4; n++) {
      await turn()
      slices.push(name)
    }
  })
  let before = 0
  for (let rounds = 0; rounds < 50 && slices.length < 12; rounds++) {
    await round()
    expect(slices.length - before).toBeLessThanOrEqual(1)
    before = slices.length
  }
  await Promise.all(workers)
  expect(slices.join('')).toBe('abc'.repeat(4))
  // Once nobody waited, the next one still has its turn.
  await turn()
})
