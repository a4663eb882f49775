import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { lockFolder } from '../connectors/accounts/folder-lock.ts'
import { startEngine } from '../connectors/history/engine/supervisor.ts'
import type { Metrics } from '../connectors/metrics/port.ts'
import { prometheusMetrics } from '../connectors/metrics/prometheus.ts'
import type { Config } from '../schemas/config.ts'
import { startApi } from './api.ts'
import { banner } from './banner.ts'
import { startRole } from './child.ts'
import { closing } from './closing.ts'
import { moveInstances } from './instances.ts'
import { type JobNews, recordNews } from './job-metrics.ts'
import { measureDisk, measured } from './measure-parts.ts'
import { leaveAddress } from './open/engine.ts'
import { historyUrl } from './open/history.ts'
import { openParts } from './open/parts.ts'
import { sqlUsersFile } from './open/sql-users.ts'
import { relayedSoon, relayOutbox } from './outbox-relay.ts'
import { runScans } from './scans.ts'
import { untilStopped } from './signals.ts'
import { sqlPort } from './sql-port.ts'
import { sendWebhooks } from './webhooks.ts'

/** The jobs are ready in a second or two; whatever keeps them longer is in the log and does not keep the API down. */
const JOBS_MS = 15_000

/** The same metrics, which look at the volume of the data folder first. */
const withDisk = (metrics: Metrics, folder: string, logger: Logger): Metrics => ({
  ...metrics,
  async text() {
    await measured(logger, [measureDisk(folder, metrics)])
    return metrics.text()
  },
})

const within = (work: Promise<void>, ms: number): Promise<unknown> =>
  Promise.race([work.catch(() => undefined), sleep(ms, undefined, { ref: false })])

/**
 * The whole platform in the foreground (decisions 9.1): what is not configured to be elsewhere runs here, from one data
 * folder. Order: the folder is ours, the stores are open, the jobs run, the API listens; and back again at the end.
 */
export async function up(config: Config): Promise<void> {
  const logger = pino({ level: config.logLevel, base: { role: 'up' } })
  const dataDir = resolve(config.dataDir)
  const open = closing(logger)
  let sqlUrl: string | null = null
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    open.push('data folder', await lockFolder(join(dataDir, 'harrier')))
    const metrics = prometheusMetrics()
    let clickhouseUrl = ''
    const historyAt = async () => {
      clickhouseUrl = config.clickhouseUrl ?? (await embeddedEngine(metrics))
      return clickhouseUrl
    }
    const parts = await openParts(config, historyAt, open, logger)
    const relay = relayOutbox(parts, metrics, logger)
    open.push('outbox relay', () => relay.stop())
    const lifecycle = parts.lifecycle.start(metrics, logger)
    open.push('lifecycle', () => lifecycle.stop())
    const webhooks = sendWebhooks(config, parts, metrics, logger)
    open.push('webhooks', () => webhooks.stop())
    const scans = await runScans(config, parts, metrics, logger)
    open.push('scans', () => scans.stop())
    const moving = moveInstances(config, parts, logger)
    open.push('instances', () => moving.stop())
    const env = {
      CLICKHOUSE_URL: clickhouseUrl,
      SCHEMA_REGISTRY_URL: parts.registry.url,
      HARRIER_DATA_DIR: dataDir,
      // The port is that of this process, which is told what the jobs measure.
      HARRIER_METRICS_PORT: '',
    }
    const jobs = startRole('observe', env, logger, (news) => recordNews(metrics, news as JobNews))
    open.push('jobs', () => jobs.stop())
    const checks = [{ name: 'jobs', check: () => jobs.running().then(() => 'ok') }]
    const shown = withDisk(metrics, dataDir, logger)
    const api = await startApi(config, { ...relayedSoon(parts, relay), metrics: shown, checks, logger })
    open.push('api', () => api.stop())
    await within(jobs.running(), JOBS_MS)
    process.stdout.write(
      banner({ url: api.url, metricsUrl: api.metricsUrl, sqlUrl, dataDir, administrator: parts.administrator }),
    )
    logger.info({ signal: await untilStopped() }, 'stopping')
    // Beside the last answers of the API: one after the other they could take longer than a stop may.
    void jobs.stop()
  } finally {
    await open.closeAll()
  }

  async function embeddedEngine({ instruments: m }: Metrics): Promise<string> {
    const engine = await startEngine({
      dataDir: join(dataDir, 'clickhouse'),
      port: await sqlPort(config.sqlPort, logger),
      analysts: { users: sqlUsersFile(dataDir), home: 'harrier' },
      onExit: (event) => {
        m.harrier_engine_restarts_total.inc()
        logger[event.restarted ? 'warn' : 'fatal'](event, 'the embedded engine ended')
      },
    })
    open.push('engine', () => engine.stop())
    open.push('address of the engine', await leaveAddress(dataDir, engine))
    sqlUrl = engine.url
    return historyUrl(engine)
  }
}
