import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { lockFolder } from '../connectors/accounts/folder-lock.ts'
import { startEngine } from '../connectors/history/engine/supervisor.ts'
import { prometheusMetrics } from '../connectors/metrics/prometheus.ts'
import type { Config } from '../schemas/config.ts'
import { startApi } from './api.ts'
import { banner } from './banner.ts'
import { startRole } from './child.ts'
import { closing } from './closing.ts'
import { type JobNews, recordNews } from './job-metrics.ts'
import { historyUrl } from './open/history.ts'
import { openParts } from './open/parts.ts'
import { relayOutbox } from './outbox-relay.ts'
import { untilStopped } from './signals.ts'

/** The jobs are ready in a second or two; whatever keeps them longer is in the log and does not keep the API down. */
const JOBS_MS = 15_000

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
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    open.push('data folder', await lockFolder(join(dataDir, 'harrier')))
    const clickhouseUrl = config.clickhouseUrl ?? (await embeddedEngine())
    const parts = await openParts({ ...config, clickhouseUrl }, open, logger)
    const metrics = prometheusMetrics()
    const relay = relayOutbox(parts, metrics, logger)
    open.push('outbox relay', () => relay.stop())
    const env = { CLICKHOUSE_URL: clickhouseUrl, SCHEMA_REGISTRY_URL: parts.registry.url, HARRIER_DATA_DIR: dataDir }
    const jobs = startRole('observe', env, logger, (news) => recordNews(metrics, news as JobNews))
    open.push('jobs', () => jobs.stop())
    const checks = [{ name: 'jobs', check: () => jobs.running().then(() => 'ok') }]
    const api = await startApi(config, { ...parts, metrics, checks, logger })
    open.push('api', () => api.stop())
    await within(jobs.running(), JOBS_MS)
    process.stdout.write(banner({ url: api.url, dataDir, administrator: parts.administrator }))
    logger.info({ signal: await untilStopped() }, 'stopping')
  } finally {
    await open.closeAll()
  }

  async function embeddedEngine(): Promise<string> {
    const engine = await startEngine({
      dataDir: join(dataDir, 'clickhouse'),
      onExit: (event) => logger[event.restarted ? 'warn' : 'fatal'](event, 'the embedded engine ended'),
    })
    open.push('engine', () => engine.stop())
    return historyUrl(engine)
  }
}
