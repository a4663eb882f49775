import { pino } from 'pino'
import { prometheusMetrics } from '../../connectors/metrics/prometheus.ts'
import { NO_MARKS } from '../../pipelines/runtime/watch-marks.ts'
import type { Config } from '../../platform/config.ts'
import { runScans } from '../wiring/background/scans.ts'
import { openScans } from '../wiring/modules/scans-module.ts'
import { openDatabase } from '../wiring/open/database.ts'
import { openLog } from '../wiring/open/open-log.ts'
import { openRegistry } from '../wiring/open/registry.ts'
import { logChecks } from '../wiring/process/checks.ts'
import { closing } from '../wiring/process/closing.ts'
import { databaseCheck } from '../wiring/process/database-check.ts'
import { expose } from '../wiring/process/exposition.ts'
import { recordReport } from '../wiring/process/job-metrics.ts'
import { untilStopped } from '../wiring/process/until-stopped.ts'
import { lostPlace } from '../wiring/watchdog/lost-place.ts'
import { watchLoop } from '../wiring/watchdog/watch-loop.ts'

/**
 * Only scans, over an external database: any number of these processes share them. Ends with an error when requests
 * can no longer be read; the supervisor restarts it.
 */
export async function scanWorker(config: Config): Promise<void> {
  if (config.databaseUrl === null)
    throw new Error(
      'the role scan-worker requires DATABASE_URL; the embedded accounts database works only with `harrier up`',
    )
  const logger = pino({ level: config.logLevel, base: { role: 'scan-worker' } })
  const open = closing(logger)
  try {
    const metrics = prometheusMetrics()
    const log = await openLog(
      config,
      lostPlace(logger, (news) => recordReport(metrics, news)),
    )
    open.push('log', () => log.close())
    const registry = await openRegistry(config)
    open.push('registry', () => registry.close())
    const database = await openDatabase(config, logger)
    open.push('database', () => database.close())
    const scans = openScans(database.db, registry.ids.scanRequest)
    const running = await runScans(
      config,
      { log, registry, scans, work: database.work, marks: NO_MARKS },
      metrics,
      logger,
    )
    open.push('scans', () => running.stop())
    const checks = [...logChecks({ log, registry }), databaseCheck(database)]
    const shown = await expose(config, { checks, metrics, logger })
    open.push('metrics', () => shown.stop())
    logger.info('the scan worker is running')
    watchLoop('scan-worker')
    logger.info({ signal: await Promise.race([untilStopped(), running.closed]) }, 'stopping')
  } finally {
    await open.closeAll()
  }
}
