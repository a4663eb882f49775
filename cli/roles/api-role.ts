import { pino } from 'pino'
import { prometheusMetrics } from '../../connectors/metrics/prometheus.ts'
import type { Config } from '../../platform/config.ts'
import { followBesideApi, followersOfHost } from '../wiring/followers/beside-api.ts'
import { openCore } from '../wiring/modules/core.ts'
import { openModules } from '../wiring/modules/module-list.ts'
import { closing } from '../wiring/process/closing.ts'
import { recordReport } from '../wiring/process/job-metrics.ts'
import { untilStopped } from '../wiring/process/until-stopped.ts'
import { startApi } from '../wiring/start-api.ts'
import { lostPlace } from '../wiring/watchdog/lost-place.ts'
import { watchLoop } from '../wiring/watchdog/watch-loop.ts'

/** The API alone, over stores that are elsewhere: any number of these share them. */
export async function apiRole(config: Config): Promise<void> {
  const { clickhouseUrl, databaseUrl } = config
  if (clickhouseUrl === null || databaseUrl === null)
    throw new Error(
      'the role api requires CLICKHOUSE_URL and DATABASE_URL; the embedded stores work only with `harrier up`',
    )
  const logger = pino({ level: config.logLevel, base: { role: 'api' } })
  const open = closing(logger)
  try {
    const metrics = prometheusMetrics()
    const onLost = lostPlace(logger, (news) => recordReport(metrics, news))
    const core = await openCore({ config, open, metrics, logger }, async () => clickhouseUrl, onLost)
    const modules = await openModules(core)
    await modules.start({ all: false })
    const beside = followBesideApi(followersOfHost(), { ...config, clickhouseUrl }, core, metrics, logger)
    open.push('jobs beside the API', () => beside.stop())
    const api = await startApi(core, modules, { metrics, checks: [] })
    open.push('api', () => api.stop())
    logger.info({ url: api.url }, 'the API is listening')
    watchLoop('api')
    logger.info({ signal: await untilStopped() }, 'stopping')
  } finally {
    await open.closeAll()
  }
}
