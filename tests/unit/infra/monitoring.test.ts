import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { prometheusMetrics } from '../../../connectors/metrics/prometheus.ts'
import { exists, infra, infraFiles } from '../../builders/infra/manifests.ts'

type Alert = {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; runbook_url: string }
}
type Panel = {
  id: number
  type: string
  gridPos: { x: number; y: number; w: number; h: number }
  datasource?: { uid: string }
  targets?: { datasource: { uid: string }; expr?: string; rawSql?: string }[]
}
type Dashboard = { uid: string; title: string; panels: Panel[] }

const alerts: Alert[] = parse(infra('monitoring/alerts.yml')).groups.flatMap((group: { rules: Alert[] }) => group.rules)
const dashboards: [string, Dashboard][] = infraFiles('monitoring/grafana/dashboards', '.json').map((path) => [
  path,
  JSON.parse(infra(path)),
])
const sources = parse(infra('monitoring/grafana/provisioning/datasources/harrier.yml')).datasources as { uid: string }[]

/** What every process exposes, ours and those of Node, and what Prometheus adds to a scrape. */
const exposed = new Set(
  [...(await prometheusMetrics().text()).matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name, kind]) =>
    kind === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name!],
  ),
).add('up')
// An edge serves its own (tests/unit/docs/reference.metrics.test.ts).
for (const [name] of infra('../docs/reference/metrics.md').matchAll(/\bharrier_edge_\w+/g)) exposed.add(name)
/** Words of the language, labels and functions are no metrics. */
const metricsOf = (expr: string): string[] =>
  [
    ...expr
      .replace(/\{[^}]*\}/g, '{}')
      .replace(/\b(?:by|without|on)\s*\([^)]*\)/g, '')
      .matchAll(/\b(?:harrier|process|nodejs|up)\w*/g),
  ].map(([name]) => name)

const unknown = (expr: string): string[] => metricsOf(expr).filter((name) => !exposed.has(name))

describe('alerts', () => {
  for (const { alert, expr, labels, annotations } of alerts)
    test(`${alert} is about metrics that there are, and says how bad it is and what to do`, () => {
      expect(metricsOf(expr).length).toBeGreaterThan(0)
      expect(unknown(expr)).toEqual([])
      expect(['info', 'warning', 'critical']).toContain(labels.severity)
      expect(annotations.summary.length).toBeGreaterThan(10)
      const [, page] = /^\{\{ \$externalLabels\.harrier_url \}\}\/help\/(operate\/runbooks\/[a-z-]+)\/$/.exec(
        annotations.runbook_url,
      )!
      expect([page, exists(`docs/${page}.md`)]).toEqual([page, true])
    })

  test('an invented metric would be noticed', () => {
    expect(unknown('rate(harrier_invented_total[5m]) / up')).toEqual(['harrier_invented_total'])
  })

  test('each has a page that names it', () => {
    const silent = alerts.filter(({ alert, annotations }) => {
      const page = annotations.runbook_url.replace(/^.*\/help\/|\/$/g, '')
      return !infra(`../docs/${page}.md`).includes(alert)
    })
    expect(silent.map(({ alert }) => alert)).toEqual([])
  })

  test('each is fired and silent in a test of its own', () => {
    const tests = parse(infra('../tests/unit/infra/monitoring/alerts.test.yml')).tests as {
      alert_rule_test: { alertname: string; exp_alerts: unknown[] }[]
    }[]
    const tried = (fired: boolean) =>
      new Set(
        tests
          .flatMap(({ alert_rule_test: all }) => all)
          .filter(({ exp_alerts: expected }) => expected.length > 0 === fired)
          .map(({ alertname }) => alertname),
      )
    const names = alerts.map(({ alert }) => alert).sort()
    expect([...tried(true)].sort()).toEqual(names)
    expect([...tried(false)].sort()).toEqual(names)
  })
})

describe('promtool', () => {
  const { PROMTOOL, CI } = process.env
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  if (!PROMTOOL) {
    // A build that promises it must not pass without having met it.
    test.skipIf(!CI)('PROMTOOL names it (infra/dev/tool.sh fetches it)', () => expect(PROMTOOL).toBeDefined())
    return
  }
  test.each([
    ['check', 'rules', 'infra/monitoring/alerts.yml'],
    ['check', 'config', 'infra/monitoring/prometheus.yml'],
    ['test', 'rules', 'tests/unit/infra/monitoring/alerts.test.yml'],
  ])('%s %s %s', (...args) => {
    const { status, stdout, stderr } = spawnSync(PROMTOOL, args, { cwd: root, encoding: 'utf8' })
    expect(status, stdout + stderr).toBe(0)
  })
})

describe.each(dashboards)('%s', (_, { uid, title, panels }) => {
  const targets = panels.flatMap((panel) => panel.targets ?? [])

  test('has a name, panels with ids of their own, and none over another', () => {
    expect(uid).toMatch(/^harrier-[a-z]+$/)
    expect(title).toMatch(/^Harrier: /)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const taken = new Set<string>()
    for (const { id, gridPos: at } of panels) {
      expect([id, at.x + at.w <= 24]).toEqual([id, true])
      for (let x = at.x; x < at.x + at.w; x++)
        for (let y = at.y; y < at.y + at.h; y++) {
          expect([id, taken.has(`${x},${y}`)]).toEqual([id, false])
          taken.add(`${x},${y}`)
        }
    }
  })

  test('asks sources that are provisioned, for metrics that there are', () => {
    const provisioned = sources.map(({ uid }) => uid)
    expect(targets.length).toBeGreaterThan(5)
    for (const { datasource, expr, rawSql } of targets) {
      expect(provisioned).toContain(datasource.uid)
      expect((expr ?? rawSql ?? '').length).toBeGreaterThan(0)
      if (expr !== undefined) expect(unknown(expr)).toEqual([])
    }
  })

  test('reads views for analysts alone, and no more rows than a panel shows', () => {
    for (const { rawSql } of targets) {
      if (rawSql === undefined) continue
      for (const [, table] of rawSql.matchAll(/\b(?:FROM|JOIN)\s+(\w+)/g)) expect(table).toMatch(/^bi_[a-z]+$/)
      expect(rawSql).toMatch(/^SELECT /)
      expect(/\bLIMIT \d+$|day > today\(\) - \d+|^SELECT uniqExact/.test(rawSql)).toBe(true)
    }
  })
})

test('the list of runbooks names every page and every alert', () => {
  const list = infra('../docs/operate/runbooks/README.md')
  const pages = infraFiles('../docs/operate/runbooks', '.md').map((path) => path.split('/').at(-1)!)
  expect(pages.filter((page) => page !== 'README.md' && !list.includes(`(${page})`))).toEqual([])
  expect(alerts.map(({ alert }) => alert).filter((alert) => !list.includes(`\`${alert}\``))).toEqual([])
})
