import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { prometheusMetrics } from '../../../../connectors/metrics/prometheus.ts'

const STATISTICS = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99']

/** The statistics of the lag in a text of metrics, in seconds. */
const lagIn = (text: string) =>
  Object.fromEntries(
    STATISTICS.map((statistic) => {
      const found = text.match(new RegExp(`^nodejs_eventloop_lag_${statistic}_seconds (\\S+)$`, 'gm')) ?? []
      return [statistic, found.map((line) => Number(line.split(' ')[1]))]
    }),
  )

test('the first question has every statistic once, and later ones tell of what was late in between', async () => {
  const metrics = prometheusMetrics()
  const first = lagIn(await metrics.text())
  for (const statistic of STATISTICS) expect(first[statistic], statistic).toEqual([expect.any(Number)])
  expect(first.mean![0]).toBeGreaterThan(0)
  const late = async (): Promise<number> => {
    for (const until = performance.now() + 150; performance.now() < until; );
    // What was due meanwhile has its turn.
    for (let i = 0; i < 3; i++) await turn()
    return lagIn(await metrics.text()).max![0]!
  }
  await expect.poll(late, { timeout: 5_000, interval: 30 }).toBeGreaterThan(0.1)
})

test('two questions at once are both answered with numbers', async () => {
  const metrics = prometheusMetrics()
  for (const text of await Promise.all([metrics.text(), metrics.text()]))
    for (const [value] of Object.values(lagIn(text))) expect(value).toBeGreaterThanOrEqual(0)
})
