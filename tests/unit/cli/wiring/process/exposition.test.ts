import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { type Exposition, expose, openReporting } from '../../../../../cli/wiring/process/exposition.ts'
import { recordReport } from '../../../../../cli/wiring/process/job-metrics.ts'
import { tellParent } from '../../../../../cli/wiring/process/tell-parent.ts'
import { prometheusMetrics } from '../../../../../connectors/metrics/prometheus.ts'

const logger = pino({ level: 'silent' })
let shown: Exposition | undefined
afterEach(() => shown?.stop())

const exposed = async (check: () => Promise<string>, metricsPort: number | null = 0) => {
  const metrics = prometheusMetrics({ process: false })
  shown = await expose({ host: '127.0.0.1', metricsPort }, { checks: [{ name: 'log', check }], metrics, logger })
  return { url: shown.url, metrics }
}

test('a role without an API shows that it runs, what it needs and what it measured', async () => {
  const { url, metrics } = await exposed(async () => 'ok')
  recordReport(metrics, { inserted: 'entities', seconds: 0.2 })
  expect(await (await fetch(`${url}/livez`)).json()).toEqual({ live: true })
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ ready: true, parts: { log: 'ok' } })
  const exposition = await fetch(`${url}/metrics`)
  expect(exposition.headers.get('content-type')).toContain('text/plain')
  expect(await exposition.text()).toContain('harrier_history_insert_seconds_count{table="entities"} 1\n')
})

test('is not ready while a part that it needs is away, and names it', async () => {
  const { url } = await exposed(async () => Promise.reject(new Error('no broker')))
  const answer = await fetch(`${url}/readyz`)
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('log')
  expect((await fetch(`${url}/livez`)).status).toBe(200)
})

test('answers nothing else', async () => {
  const { url } = await exposed(async () => 'ok')
  expect((await fetch(`${url}/api/analytics/v1/overview`)).status).toBe(404)
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405)
})

test('opens no port that nobody asked for', async () => {
  expect((await exposed(async () => 'ok', null)).url).toBeNull()
})

test('a role of its own counts what its jobs report and shows it', async () => {
  const { report, expose: show } = await openReporting({ host: '127.0.0.1', metricsPort: 0 }, logger, false)
  report({ ticks: 3 })
  shown = await show([])
  expect(await (await fetch(`${shown.url}/metrics`)).text()).toContain('harrier_score_reevaluations_total 3\n')
})

test('a child takes no port of the environment of its parent, and reports to it', async () => {
  const { report, expose: show } = await openReporting({ host: '127.0.0.1', metricsPort: 0 }, logger, true)
  shown = await show([{ name: 'log', check: async () => 'ok' }])
  expect(shown.url).toBeNull()
  expect(report).toBe(tellParent)
})
