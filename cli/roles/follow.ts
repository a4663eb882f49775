import { pino } from 'pino'
import { untilStored } from '../../connectors/operations/changes/until-stored.ts'
import type { Config } from '../../platform/config.ts'
import { pause } from '../../platform/pause.ts'
import { FOLLOWERS } from '../wiring/followers/follower-list.ts'
import { startFollowers } from '../wiring/followers/start.ts'
import { openCircuitBreakers } from '../wiring/open/circuit-breakers.ts'
import { openHistory } from '../wiring/open/open-history.ts'
import { openLog } from '../wiring/open/open-log.ts'
import { openRegistry } from '../wiring/open/registry.ts'
import { historyCheck, logChecks } from '../wiring/process/checks.ts'
import { closing } from '../wiring/process/closing.ts'
import { openReporting } from '../wiring/process/exposition.ts'
import { RUNNING } from '../wiring/process/start-role.ts'
import { tellParent } from '../wiring/process/tell-parent.ts'
import { untilStopped } from '../wiring/process/until-stopped.ts'
import { lostPlace } from '../wiring/watchdog/lost-place.ts'
import { watchLoop } from '../wiring/watchdog/watch-loop.ts'
import { giveBackStart } from './give-back.ts'

/**
 * The jobs that follow the changes of entities, as a separate process: any number of them share what can be shared; what
 * only one may do is taken over when that one dies (ADR 271). Ends with an error when a job fails permanently; the
 * supervisor restarts it, and it continues where it stopped.
 */
export async function follow(config: Config): Promise<void> {
  const { clickhouseUrl, databaseUrl } = config
  if (clickhouseUrl === null)
    throw new Error('the role follow requires CLICKHOUSE_URL; the embedded engine works only with `harrier up`')
  const isChild = process.send !== undefined
  // `up` runs the others itself, beside the embedded accounts database; on servers the API runs what belongs to its host.
  const followers = FOLLOWERS.filter((one) =>
    one.needsAccounts ? !isChild || databaseUrl !== null : isChild || one.besideApi !== true,
  )
  const needsAccounts = followers.some((one) => one.needsAccounts)
  if (needsAccounts && databaseUrl === null)
    throw new Error(
      'the role follow requires DATABASE_URL; the embedded accounts database works only with `harrier up`',
    )
  const logger = pino({ level: config.logLevel, base: { role: 'follow' } })
  const open = closing(logger)
  try {
    const { report, expose } = await openReporting(config, logger)
    const log = await open.later('log', openLog(config, lostPlace(logger, report)))
    const registry = await open.later('registry', openRegistry(config))
    const home = openHistory(clickhouseUrl)
    open.push('history', () => home.close())
    const accounts = needsAccounts ? await openAccounts() : null
    const breakers = openCircuitBreakers(log, logger)
    const stored = untilStored({ log, pause })
    const parts = { config: { ...config, clickhouseUrl }, log, registry, home, breakers, stored, report, logger }
    const running = await startFollowers(followers, parts, accounts?.database ?? null)
    open.push('jobs', () => running.stop())
    const checks = [...logChecks({ log, registry }), historyCheck(home), ...(accounts?.checks ?? [])]
    const shown = await expose(checks)
    open.push('metrics', () => shown.stop())
    tellParent(RUNNING)
    void giveBackStart()
    logger.info({ jobs: followers.map(({ name }) => name) }, 'the jobs that follow the changes are running')
    watchLoop('follow')
    logger.info({ signal: await Promise.race([untilStopped(), running.closed]) }, 'stopping')
  } finally {
    await open.closeAll()
  }

  /** Loaded where they are needed: these modules are many. */
  async function openAccounts() {
    const [{ openDatabase }, { databaseCheck }] = await Promise.all([
      import('../wiring/open/database.ts'),
      import('../wiring/process/database-check.ts'),
    ])
    const database = await open.later('accounts', openDatabase(config, logger))
    return { database, checks: [databaseCheck(database)] }
  }
}
