import { expect, test } from 'vitest'
import { prometheusMetrics } from '../../../../connectors/metrics/prometheus.ts'

test('a metric that was renamed is shown under both names for one release', async () => {
  const metrics = prometheusMetrics({ process: false })
  metrics.instruments.harrier_isolated_sources.set({ group: 'expand' }, 2)
  metrics.instruments.harrier_score_reevaluations_total.inc(3)
  const lines = (await metrics.text()).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'harrier_isolated_sources{group="expand"} 2',
      'harrier_sources_alone{group="expand"} 2',
      '# TYPE harrier_sources_alone gauge',
      '# HELP harrier_sources_alone Deprecated: use harrier_isolated_sources.',
      'harrier_score_reevaluations_total 3',
      'harrier_fading_ticks_total 3',
    ]),
  )
  // A parser refuses a name that is declared twice, and the end of a text that is no line.
  const types = lines.filter((line) => line.startsWith('# TYPE'))
  expect(new Set(types).size).toBe(types.length)
  expect(lines.at(-1)).toBe('')
})
