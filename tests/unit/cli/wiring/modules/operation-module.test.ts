import { expect, test } from 'vitest'
import { breakerCheck, measureOutbox } from '../../../../../cli/wiring/modules/operation-module.ts'
import { prometheusMetrics } from '../../../../../connectors/metrics/prometheus.ts'
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

test('what waits in the outbox and for how long can be watched', async () => {
  const metrics = prometheusMetrics({ process: false })
  await measureOutbox({ backlog: async () => ({ pending: 3, oldest: 4_000 }) }, metrics, 6_500)
  const waiting = await metrics.text()
  expect(waiting).toContain('harrier_outbox_pending 3\n')
  expect(waiting).toContain('harrier_outbox_oldest_seconds 2.5\n')
  await measureOutbox({ backlog: async () => ({ pending: 0, oldest: null }) }, metrics, 9_000)
  const empty = await metrics.text()
  expect(empty).toContain('harrier_outbox_pending 0\n')
  expect(empty).toContain('harrier_outbox_oldest_seconds 0\n')
})
