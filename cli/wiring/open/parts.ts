import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { propagationStore } from '../../../connectors/history/stores/propagation.ts'
import { kyselyCasework } from '../../../connectors/postgres/casework/casework-store.ts'
import { kyselyAlertDestinations } from '../../../connectors/postgres/casework/deliveries/destination-store.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { kyselyFeedsOut } from '../../../connectors/postgres/feeds-out/feed-store.ts'
import { kyselyBulkRequests } from '../../../connectors/postgres/intelligence/bulk-request-store.ts'
import { kyselyComments } from '../../../connectors/postgres/intelligence/comment-store.ts'
import { kyselyInboxStatuses } from '../../../connectors/postgres/intelligence/inbox-status-store.ts'
import { type BulkRequests, KEY_KEPT_MS } from '../../../connectors/postgres/intelligence/port.ts'
import { kyselyDeliveries } from '../../../connectors/postgres/scans/webhook-store.ts'
import type { Tables } from '../../../connectors/postgres/tables/tables.ts'
import { watchMarks } from '../../../pipelines/runtime/marks/watch-marks.ts'
import type { Written } from '../../../pipelines/runtime/unwritten.ts'
import type { Config } from '../../../platform/config.ts'
import { startRounds } from '../../../platform/rounds.ts'
import type { closing } from '../process/closing.ts'
import { administratorKey, openAccounts, openDatabase } from './accounts.ts'
import type { ApiParts } from './api-parts.ts'
import { openAudit } from './audit.ts'
import { logAvailability } from './availability.ts'
import { openAppend, openBilling } from './billing.ts'
import { openCompute } from './compute.ts'
import { openAnswers, writtenIn } from './history.ts'
import { openLifecycle } from './lifecycle.ts'
import { openLimits } from './limits.ts'
import { openLive } from './live.ts'
import { openLog } from './log.ts'
import { openMailer } from './mailer.ts'
import { openReceivers } from './receivers.ts'
import { openRegistry } from './registry.ts'
import { openScans } from './scans.ts'
import { readTiers } from './tiers.ts'

const SWEEP_MS = 60_000
/** The clock of another process may be behind. */
const KEPT_MS = KEY_KEPT_MS + 60_000

/**
 * Keys of bulk requests over the database of accounts; those that are over are removed from time to time.
 * `alone`: no other process has the database open, so a lease from before is of a process that died.
 */
async function openBulk(
  db: Kysely<Tables>,
  { alone }: { alone: boolean },
  logger: Logger,
): Promise<{ requests: BulkRequests; close(): Promise<void> }> {
  const requests = kyselyBulkRequests(db)
  if (alone) await requests.releaseAll()
  const sweeping = startRounds({
    async round() {
      // A sweep is bounded; what came faster than it goes at once.
      return (await requests.sweep(Date.now() - KEPT_MS)) > 0 ? 0 : SWEEP_MS
    },
    onFailure: (err) => logger.warn({ err }, 'cannot remove old idempotency keys; retrying'),
    failedMs: SWEEP_MS,
    maxPauseMs: SWEEP_MS,
  })
  return { requests, close: () => sweeping.stop() }
}

export type StoreParts = Pick<
  ApiParts,
  | 'log'
  | 'registry'
  | 'history'
  | 'marks'
  | 'audit'
  | 'accounts'
  | 'team'
  | 'sessions'
  | 'signOn'
  | 'emails'
  | 'identityChecks'
  | 'settings'
  | 'names'
  | 'mailer'
  | 'limits'
  | 'live'
  | 'bulkRequests'
  | 'subscriptions'
  | 'quotas'
  | 'comments'
  | 'scans'
  | 'compute'
  | 'casework'
  | 'alertDestinations'
  | 'sendMessage'
  | 'feedsOut'
  | 'inboxStatuses'
  | 'tiers'
  | 'billing'
  | 'lifecycle'
  | 'webhooks'
  | 'work'
> & {
  /** Of all stores of the accounts. */
  database: AccountsDatabase
  administrator: Awaited<ReturnType<typeof administratorKey>>
}

/**
 * Every store of the API, open and migrated, in parallel: the first start of each takes a second or two. `open`
 * closes them.
 * @param historyAt called with the address of the history store once it is open
 * @param onLost told of consumers of the log that begin anew
 */
export async function openParts(
  config: Config,
  historyAt: () => Promise<string>,
  open: ReturnType<typeof closing>,
  logger: Logger,
  onLost: Parameters<typeof openLog>[1],
): Promise<StoreParts> {
  const tiers = readTiers(config.tiersFile)
  let written: Written | undefined
  async function answers() {
    const clickhouseUrl = await historyAt()
    written = writtenIn(clickhouseUrl)
    return openAnswers({ ...config, clickhouseUrl }, logAvailability(logger))
  }
  const opening = [
    open.later('history', answers()),
    open.later('log', openLog(config, onLost)),
    open.later('registry', openRegistry(config)),
    open.later('accounts', openDatabase(config, logger)),
  ] as const
  // What opens beside one that fails is closed too.
  await Promise.allSettled(opening)
  const [history, log, registry, database] = await Promise.all(opening)
  const onFailure = (err: Error) => logger.warn({ err }, 'cannot read covering well-known marks; retrying')
  const marks = await watchMarks(propagationStore(history), { onFailure, written })
  open.push('marks', () => marks.stop())
  const append = openAppend(registry.ids.lifecycle)
  const { forget, ...people } = openAccounts(database, append)
  const audit = openAudit(database.db, log, registry.ids.audit, logger)
  open.push('audit records', () => audit.writer.close())
  const limited = openLimits(database.db, tiers, logger)
  open.push('limits', () => limited.close())
  const streaming = openLive(database.db, logger)
  open.push('live streams', () => streaming.close())
  const bulk = await openBulk(database.db, { alone: config.databaseUrl === null }, logger)
  open.push('bulk requests', () => bulk.close())
  const billing = await openBilling(config, database.db, tiers, append)
  const comments = kyselyComments(database.db)
  const compute = openCompute(database.db, tiers)
  const casework = kyselyCasework(database.db, tiers)
  const alertDestinations = kyselyAlertDestinations(database.db, tiers)
  const feedsOut = kyselyFeedsOut(database.db, tiers)
  const inboxStatuses = kyselyInboxStatuses(database.db)
  const lifecycle = openLifecycle({
    ...database,
    tiers,
    append,
    billing,
    log,
    registry,
    forget,
    driver: compute.driver,
  })
  const webhooks = kyselyDeliveries(database.db)
  const scans = openScans(database.db, registry.ids.scanRequest)
  const mailer = openMailer(config, logger)
  const administrator = await administratorKey(config)
  const sendMessage = openReceivers(config, mailer)
  const assets = { comments, scans, compute, casework, alertDestinations, sendMessage, feedsOut, inboxStatuses }
  const ports = {
    audit,
    ...people,
    ...limited.ports,
    live: streaming.live,
    bulkRequests: bulk.requests,
    ...assets,
    billing,
    lifecycle,
    webhooks,
  }
  return { log, registry, history, marks, ...ports, database, work: database.work, tiers, mailer, administrator }
}
