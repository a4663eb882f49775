import type { Logger } from 'pino'
import type { History } from '../../../connectors/history/port.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { UntilStored } from '../../../connectors/operations/changes/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import type { CircuitBreakers } from '../../../pipelines/runtime/breakers/circuit-breaking-consumer.ts'
import type { Config } from '../../../platform/config.ts'
import type { OpenRegistry } from '../open/registry.ts'
import type { JobReport } from '../process/job-metrics.ts'

/** What a follower is started over. */
export type FollowParts = {
  config: Config & { clickhouseUrl: string }
  log: EventLog
  registry: OpenRegistry
  /** The history store at the home of its generations. */
  home: History
  breakers: CircuitBreakers
  stored: UntilStored
  /** Takes what a follower counts to the process that shows metrics. */
  report: (news: JobReport) => void
  logger: Logger
}

/** `closed` rejects when it can go on no more; it resolves after a stop. */
export type RunningFollower = { closed: Promise<unknown>; stop(): Promise<void> }

/** `start` loads the modules of this one alone. */
export type Follower = { name: string } & (
  | { needsAccounts: false; besideApi?: boolean; start(parts: FollowParts): Promise<RunningFollower> }
  | { needsAccounts: true; start(parts: FollowParts, database: AccountsDatabase): Promise<RunningFollower> }
)

/** @throws when it needs the accounts and there are none */
export async function startFollower(
  follower: Follower,
  parts: FollowParts,
  database: AccountsDatabase | null,
): Promise<RunningFollower> {
  if (!follower.needsAccounts) return follower.start(parts)
  if (database === null) throw new Error(`${follower.name} needs the accounts database`)
  return follower.start(parts, database)
}

/**
 * Starts followers together. `closed` rejects once one of them can go on no more.
 * @throws what the first one throws that does not start; those that started are stopped
 */
export async function startFollowers(
  followers: readonly Follower[],
  parts: FollowParts,
  database: AccountsDatabase | null,
): Promise<RunningFollower> {
  const starts = await Promise.allSettled(followers.map((one) => startFollower(one, parts, database)))
  const running = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const stop = async (): Promise<void> => void (await Promise.allSettled(running.map((one) => one.stop())))
  for (const { closed } of running) closed.catch(() => undefined)
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed === undefined) return { closed: Promise.race(running.map(({ closed }) => closed)), stop }
  await stop()
  throw failed.reason
}
