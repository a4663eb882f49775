import { expect, test } from 'vitest'
import { measureFeeds } from '../../../../../cli/wiring/modules/feeds-out.ts'
import { prometheusMetrics } from '../../../../../connectors/metrics/prometheus.ts'

test('feeds that are held can be watched, by who holds them, until they are released', async () => {
  const metrics = prometheusMetrics({ process: false })
  await measureFeeds({ held: async () => ({ guard: 2, owner: 1 }) }, metrics)
  const held = await metrics.text()
  expect(held).toContain('harrier_feeds_held{by="guard"} 2\n')
  expect(held).toContain('harrier_feeds_held{by="owner"} 1\n')
  await measureFeeds({ held: async () => ({ guard: 0, owner: 1 }) }, metrics)
  expect(await metrics.text()).toContain('harrier_feeds_held{by="guard"} 0\n')
})
