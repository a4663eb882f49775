import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { noteRunning } from '../../connectors/data-folder/running.ts'
import { startEngine } from '../../connectors/history/engine/supervisor.ts'
import type { Metrics } from '../../connectors/metrics/port.ts'
import { prometheusMetrics } from '../../connectors/metrics/prometheus.ts'
import type { Config } from '../../platform/config.ts'
import { followBesideApi, followersOfAccounts } from '../wiring/followers/beside-api.ts'
import { openCore } from '../wiring/modules/core.ts'
import { openModules } from '../wiring/modules/module-list.ts'
import { leaveEngine } from '../wiring/open/engine.ts'
import { ownFolder, startFailure } from '../wiring/open/folder.ts'
import { historyUrl } from '../wiring/open/open-history.ts'
import { leaveRegistry } from '../wiring/open/registry.ts'
import { sqlUsersFile } from '../wiring/open/sql-users.ts'
import { closing } from '../wiring/process/closing.ts'
import { type JobReport, recordReport } from '../wiring/process/job-metrics.ts'
import { measureAll, measureDisk } from '../wiring/process/measure-parts.ts'
import { startRole } from '../wiring/process/start-role.ts'
import { untilStopped } from '../wiring/process/until-stopped.ts'
import { type Api, startApi } from '../wiring/start-api.ts'
import { lostPlace } from '../wiring/watchdog/lost-place.ts'
import { watchLoop } from '../wiring/watchdog/watch-loop.ts'
import { giveBackStart } from './give-back.ts'

/** The text that a start prints: the URLs, and the administrator's key pair if this start created it. */
export function banner(start: {
  url: string
  /** Where metrics are shown without credentials; null: only to administrators, beside the API. */
  metricsUrl: string | null
  /** Where SQL users ask; null when a server is elsewhere. */
  sqlUrl: string | null
  dataDir: string
  /** Parts that are not ready; none after a start that went well. */
  missing: readonly string[]
  administrator: { key: string; secret: string; made: boolean } | null
}): string {
  const { url, metricsUrl, sqlUrl, dataDir, administrator, missing } = start
  const state =
    missing.length === 0 ? 'is up' : `runs but is NOT ready: ${missing.join(', ')} (see the log for the reasons)`
  const lines = [
    '',
    `  Harrier ${state}`,
    '',
    `  Console    ${url}`,
    `  API        ${url}`,
    `  Help       ${url}/help`,
    `  API docs   ${url}/docs`,
    `  Ready      ${url}/readyz`,
    `  Metrics    ${metricsUrl === null ? `${url}/metrics (for administrators)` : `${metricsUrl}/metrics`}`,
    ...(sqlUrl === null ? [] : [`  SQL        ${sqlUrl} (harrier sql-user add ...)`]),
    `  Data       ${dataDir}`,
  ]
  if (administrator?.made)
    lines.push('', '  Administrator', `  api-key     ${administrator.key}`, `  api-secret  ${administrator.secret}`)
  return `${lines.join('\n')}\n\n`
}

/** A start that takes longer is in the log, and its addresses are printed all the same. */
const READY_MS = 30_000
const LOOK_MS = 100

/**
 * Waits until every part is ready, for a bounded time, or until the process is signalled to stop.
 * @returns the parts that are not ready; none when all are
 */
export async function untilReady(
  { missing }: Pick<Api, 'missing'>,
  stopped: Promise<unknown>,
  readyMs = READY_MS,
): Promise<string[]> {
  let ended = false
  void stopped.then(() => {
    ended = true
  })
  const until = performance.now() + readyMs
  for (;;) {
    const parts = await missing()
    if (parts.length === 0 || ended || performance.now() > until) return parts
    await Promise.race([sleep(LOOK_MS), stopped])
  }
}

/** The roles that run in child processes, under the names that `/readyz` has for them. */
const CHILDREN = [
  { name: 'jobs', role: 'observe' },
  { name: 'follow', role: 'follow' },
]

const PORT_TAKEN = 'the SQL port is in use; using another port. Set HARRIER_SQL_PORT for a fixed one'

/** The same metrics, which look at the volume of the data folder first. */
const withDisk = (metrics: Metrics, folder: string, logger: Logger): Metrics => ({
  ...metrics,
  async text() {
    await measureAll(logger, [measureDisk(folder, metrics)])
    return metrics.text()
  },
})

/**
 * The whole platform in the foreground (decisions 9.1): what is not configured to be elsewhere runs here, from one data
 * folder. Order: the folder is ours, the stores are open, the jobs run, the API listens; and back again at the end.
 */
export async function up(config: Config): Promise<void> {
  const logger = pino({ level: config.logLevel, base: { role: 'up' } })
  const dataDir = resolve(config.dataDir)
  const open = closing(logger)
  let sqlUrl: string | null = null
  let started = false
  try {
    open.push('data folder', await ownFolder(dataDir, logger))
    const metrics = prometheusMetrics()
    let clickhouseUrl = ''
    const historyAt = async () => {
      clickhouseUrl = config.clickhouseUrl ?? (await embeddedEngine(metrics))
      return clickhouseUrl
    }
    const onLost = lostPlace(logger, (news) => recordReport(metrics, news))
    const core = await openCore({ config, open, metrics, logger }, historyAt, onLost)
    const { registry } = core
    const modules = await openModules(core)
    if (config.schemaRegistryUrl === null)
      open.push('address of the registry', await leaveRegistry(dataDir, registry.url))
    for (const one of registry.mended)
      logger.warn(one, 'the compatibility level of a subject was changed externally; it was reset to BACKWARD')
    await modules.start({ all: true })
    const env = {
      CLICKHOUSE_URL: clickhouseUrl,
      SCHEMA_REGISTRY_URL: registry.url,
      HARRIER_DATA_DIR: dataDir,
      // The port is that of this process, to which its children report their measurements.
      HARRIER_METRICS_PORT: '',
    }
    const start = (role: string) => startRole(role, env, logger, (news) => recordReport(metrics, news as JobReport))
    const children = CHILDREN.map(({ name, role }) => ({ name, process: start(role) }))
    const stopChildren = () => Promise.all(children.map((child) => child.process.stop()))
    open.push('child processes', stopChildren)
    const beside = followBesideApi(followersOfAccounts(config), { ...config, clickhouseUrl }, core, metrics, logger)
    open.push('jobs beside the API', () => beside.stop())
    const checks = children.map((child) => ({
      name: child.name,
      check: () => child.process.running().then(() => 'ok'),
    }))
    const shown = withDisk(metrics, dataDir, logger)
    const api = await startApi(core, modules, { metrics: shown, checks })
    open.push('api', () => api.stop())
    // Commands ask it there, whatever port it was given.
    noteRunning(dataDir, api.url)
    const stopped = untilStopped()
    const missing = await untilReady(api, stopped)
    if (missing.length > 0)
      logger.error({ missing }, 'the platform is not ready; retrying. GET /readyz shows the unavailable components')
    started = true
    watchLoop('up')
    void giveBackStart()
    const { administrator } = modules
    process.stdout.write(banner({ url: api.url, metricsUrl: api.metricsUrl, sqlUrl, dataDir, administrator, missing }))
    logger.info({ signal: await stopped }, 'stopping')
    // Beside the last answers of the API: one after the other they could take longer than a stop may.
    void stopChildren()
  } catch (error) {
    throw started ? error : startFailure(dataDir, error)
  } finally {
    await open.closeAll()
  }

  async function embeddedEngine({ instruments: m }: Metrics): Promise<string> {
    const engine = await startEngine({
      dataDir: join(dataDir, 'clickhouse'),
      port: config.sqlPort,
      onPortTaken: (instead) => logger.warn({ port: config.sqlPort, instead }, PORT_TAKEN),
      analysts: { users: sqlUsersFile(dataDir), home: 'harrier' },
      onExit: (event) => {
        m.harrier_engine_restarts_total.inc()
        logger[event.restarted ? 'warn' : 'fatal'](event, 'the embedded engine ended')
      },
    })
    open.push('engine', () => engine.stop())
    open.push('address of the engine', await leaveEngine(dataDir, engine))
    sqlUrl = engine.url
    return historyUrl(engine)
  }
}
