import type { Logger } from 'pino'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import { untilStored } from '../../../connectors/operations/changes/until-stored.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import type { Config } from '../../../platform/config.ts'
import { pause } from '../../../platform/pause.ts'
import { startRounds } from '../../../platform/rounds.ts'
import { openCircuitBreakers } from '../open/circuit-breakers.ts'
import { openHistory } from '../open/open-history.ts'
import type { OpenRegistry } from '../open/registry.ts'
import { recordReport } from '../process/job-metrics.ts'
import { FOLLOWERS } from './follower-list.ts'
import { type Follower, type FollowParts, type RunningFollower, startFollower } from './start.ts'

/** As the supervisor of a role that ends again and again. */
const FAILED_MS = 100
const MAX_PAUSE_MS = 5_000

/** Keeps one follower running until it is stopped: when it ends, it is started again after a pause. */
export function keepRunning(follower: Follower, parts: FollowParts, database: AccountsDatabase) {
  let running: RunningFollower | null = null
  let stopping = false
  const rounds = startRounds({
    async round() {
      running = await startFollower(follower, parts, database)
      if (stopping) await running.stop()
      await running.closed
      return FAILED_MS
    },
    onFailure: (err) => parts.logger.error({ err, job: follower.name }, 'a job ended; restarting it'),
    failedMs: FAILED_MS,
    maxPauseMs: MAX_PAUSE_MS,
  })
  return {
    async stop(): Promise<void> {
      stopping = true
      const ended = rounds.stop()
      await running?.stop()
      await ended
    },
  }
}

type Beside = { log: EventLog; registry: OpenRegistry; database: AccountsDatabase }

/**
 * Those that need the accounts, in the process that has the embedded accounts database open: no other process can open it.
 * None where the database is a server: there the role `follow` has all of them.
 */
export const followersOfAccounts = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): Follower[] =>
  databaseUrl === null ? FOLLOWERS.filter(({ needsAccounts }) => needsAccounts) : []

/** Those of a host, in an API that has no role `follow` beside it. */
export const followersOfHost = (): Follower[] =>
  FOLLOWERS.filter((follower) => !follower.needsAccounts && follower.besideApi === true)

/** Runs followers in the process of the API, until stopped. */
export function followBesideApi(
  mine: readonly Follower[],
  config: FollowParts['config'],
  { log, registry, database }: Beside,
  metrics: Metrics,
  logger: Logger,
): { stop(): Promise<void> } {
  if (mine.length === 0) return { stop: async () => undefined }
  const home = openHistory(config.clickhouseUrl)
  const breakers = openCircuitBreakers(log, logger)
  const report: FollowParts['report'] = (news) => recordReport(metrics, news)
  const stored = untilStored({ log, pause })
  const parts = { config, log, registry, home, breakers, stored, report, logger }
  const kept = mine.map((one) => keepRunning(one, parts, database))
  return {
    async stop() {
      await Promise.all(kept.map((one) => one.stop()))
      await home.close()
    },
  }
}
