import { expect, test } from 'vitest'
import { breakerCheck } from '../../../../../cli/wiring/open/operation.ts'
import { type BreakerState, closedBreaker } from '../../../../../schemas/operation/breaker.ts'

const over = (list: BreakerState[]) =>
  breakerCheck({ list: async () => list, state: async () => null, set: async () => undefined })

test('who stands alone is in the detail, and not in what anybody may know of it', async () => {
  const alone = { ...closedBreaker('expand', 'job', 0, 0, 'feed:clock'), open: true }
  const { check, forAnybody } = over([alone])
  expect(await check()).toBe('closed; isolated: feed:clock in expand')
  expect(forAnybody!(await check())).toBe('closed')
})

test('an open breaker of a whole group is not ready, and named by its group', async () => {
  const open = { ...closedBreaker('expand', 'job', 0, 0), open: true }
  await expect(over([open]).check()).rejects.toThrow('open: expand')
})
