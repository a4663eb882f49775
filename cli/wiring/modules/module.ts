import type { Logger } from 'pino'
import type { LiveHistory } from '../../../connectors/history/generations/live.ts'
import type { Mailer } from '../../../connectors/mail/port.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import type { AppendEvents } from '../../../connectors/postgres/operation/outbox-store.ts'
import type { MarkWatch } from '../../../pipelines/runtime/watch-marks.ts'
import type { Config } from '../../../platform/config.ts'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import type { OpenAudit } from '../open/open-audit.ts'
import type { OpenLog } from '../open/open-log.ts'
import type { OpenRegistry } from '../open/registry.ts'
import type { closing } from '../process/closing.ts'

/** What every module is opened over: the outside things that are open, and what the process has of its own. */
export type Core = {
  config: Config
  log: OpenLog
  /** The same log for requests: what they change there is audited before. */
  recorded: OpenLog
  registry: OpenRegistry
  history: LiveHistory
  /** The covering marks, for the records that this process makes. */
  marks: MarkWatch
  /** Of all stores of the accounts. */
  database: AccountsDatabase
  audit: OpenAudit
  append: AppendEvents
  mailer: Mailer
  tiers: Tiers
  /** Closes what modules open. */
  open: ReturnType<typeof closing>
  metrics: Metrics
  logger: Logger
}

/** What goes on beside the API until it is stopped. */
export type Worker = {
  name: string
  /** Whether every process that serves the API runs it; otherwise `up` does, and a role of its own. */
  withApi: boolean
  start(): { stop(): Promise<unknown> } | Promise<{ stop(): Promise<unknown> }>
}

/** Starts workers one after the other; `open` stops them in the opposite order. @throws what one of them throws */
export async function startWorkers(workers: readonly Worker[], open: Pick<Core['open'], 'push'>): Promise<void> {
  for (const { name, start } of workers) {
    const running = await start()
    open.push(name, () => running.stop())
  }
}

/**
 * One area of the program, in one file: what the API works over (`api`, which has the ports of `api/<area>/ports.ts`), what
 * runs beside it, and what is measured of it. Followers are apart (cli/wiring/followers/follower-list.ts): the role that runs them
 * loads nothing of the API.
 */
export type Module = {
  api: object
  workers?: readonly Worker[]
  /** Measurements that begin now, `now` in unix milliseconds; called before every exposition. */
  measures?: (now: number) => readonly Promise<unknown>[]
}
