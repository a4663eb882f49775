import { pino } from 'pino'
import { prometheusMetrics } from '../../connectors/metrics/prometheus.ts'
import { embeddedDriver } from '../../connectors/postgres/accounts/instances/embedded-driver.ts'
import type { Config } from '../../platform/config.ts'
import { openAppend, openOutbox, relayOutbox } from '../wiring/background/outbox-relay.ts'
import { openPeople } from '../wiring/modules/accounts-module.ts'
import { lifecycleModule } from '../wiring/modules/lifecycle-module.ts'
import { startWorkers } from '../wiring/modules/module.ts'
import { openBilling } from '../wiring/modules/plan-module.ts'
import { openDatabase } from '../wiring/open/database.ts'
import { openAudit } from '../wiring/open/open-audit.ts'
import { openLog } from '../wiring/open/open-log.ts'
import { openRegistry } from '../wiring/open/registry.ts'
import { readTiers } from '../wiring/open/tiers.ts'
import { logChecks } from '../wiring/process/checks.ts'
import { closing } from '../wiring/process/closing.ts'
import { databaseCheck } from '../wiring/process/database-check.ts'
import { expose } from '../wiring/process/exposition.ts'
import { recordReport } from '../wiring/process/job-metrics.ts'
import { untilStopped } from '../wiring/process/until-stopped.ts'
import { lostPlace } from '../wiring/watchdog/lost-place.ts'
import { watchLoop } from '../wiring/watchdog/watch-loop.ts'

/**
 * Only the handlers of account events, over external stores: any number of these processes share the events. They
 * relay the outbox too, since the handlers publish events themselves.
 */
export async function lifecycleRole(config: Config): Promise<void> {
  if (config.databaseUrl === null)
    throw new Error(
      'the role lifecycle requires DATABASE_URL; the embedded accounts database works only with `harrier up`',
    )
  const logger = pino({ level: config.logLevel, base: { role: 'lifecycle' } })
  const open = closing(logger)
  try {
    const tiers = readTiers(config.tiersFile)
    const metrics = prometheusMetrics()
    const log = await openLog(
      config,
      lostPlace(logger, (news) => recordReport(metrics, news)),
    )
    open.push('log', () => log.close())
    const registry = await openRegistry(config)
    open.push('registry', () => registry.close())
    const database = await openDatabase(config, logger)
    const append = openAppend(registry.ids.lifecycle)
    const { accounts, forget } = openPeople(database, append)
    open.push('accounts', () => accounts.close())
    const billing = await openBilling(config, database.db, tiers, append)
    const audit = openAudit(database.db, log, registry.ids.audit, logger)
    const relay = relayOutbox({ audit, outbox: openOutbox(database.db), log, work: database.work }, metrics, logger)
    open.push('outbox relay', () => relay.stop())
    const core = { database, tiers, append, log, registry, metrics, logger }
    await startWorkers(lifecycleModule(core, { billing, forget, driver: embeddedDriver }).workers, open)
    const checks = [...logChecks({ log, registry }), databaseCheck(database)]
    const shown = await expose(config, { checks, metrics, logger })
    open.push('metrics', () => shown.stop())
    logger.info('the handlers of account events are running')
    watchLoop('lifecycle')
    logger.info({ signal: await untilStopped() }, 'stopping')
  } finally {
    await open.closeAll()
  }
}
