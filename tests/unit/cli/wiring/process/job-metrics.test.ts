import { expect, test } from 'vitest'
import { measureOutbox } from '../../../../../cli/wiring/process/job-metrics.ts'
import { prometheusMetrics } from '../../../../../connectors/metrics/prometheus.ts'

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
