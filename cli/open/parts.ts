import type { Logger } from 'pino'
import { kyselyCasework } from '../../connectors/casework/kysely.ts'
import { kyselyComments } from '../../connectors/comments/kysely.ts'
import { kyselyDeliveries } from '../../connectors/webhooks/kysely.ts'
import type { Config } from '../../schemas/config.ts'
import type { ApiParts } from '../api.ts'
import type { closing } from '../closing.ts'
import { administratorKey, openAccounts, openDatabase } from './accounts.ts'
import { openAppend, openBilling } from './billing.ts'
import { openCompute } from './compute.ts'
import { openAnswers } from './history.ts'
import { openLifecycle } from './lifecycle.ts'
import { openLimits } from './limits.ts'
import { openLog } from './log.ts'
import { openMailer } from './mailer.ts'
import { presenceTold } from './presence.ts'
import { openRegistry } from './registry.ts'
import { openScans } from './scans.ts'
import { readTiers } from './tiers.ts'

export type StoreParts = Pick<
  ApiParts,
  | 'log'
  | 'registry'
  | 'history'
  | 'accounts'
  | 'team'
  | 'sessions'
  | 'mailer'
  | 'limits'
  | 'subscriptions'
  | 'quotas'
  | 'comments'
  | 'scans'
  | 'compute'
  | 'casework'
  | 'tiers'
  | 'billing'
  | 'lifecycle'
  | 'webhooks'
> & {
  administrator: Awaited<ReturnType<typeof administratorKey>>
}

/** Every store of the API, open and migrated; `open` closes them in the opposite order. */
export async function openParts(
  config: Config & { clickhouseUrl: string },
  open: ReturnType<typeof closing>,
  logger: Logger,
): Promise<StoreParts> {
  const tiers = readTiers(config.tiersFile)
  const history = await openAnswers(config, presenceTold(logger))
  open.push('history', () => history.close())
  const log = await openLog(config)
  open.push('log', () => log.close())
  const registry = await openRegistry(config)
  open.push('registry', () => registry.close())
  const database = await openDatabase(config, logger)
  const append = openAppend(registry.ids.lifecycle)
  const { forget, ...people } = openAccounts(database, append)
  open.push('accounts', () => people.accounts.close())
  const limited = openLimits(database.db, tiers, logger)
  open.push('limits', () => limited.close())
  const billing = openBilling(config, database.db, tiers, append)
  const comments = kyselyComments(database.db)
  const compute = openCompute(database.db, tiers)
  const casework = kyselyCasework(database.db, tiers)
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
  const ports = { ...people, ...limited.ports, comments, scans, compute, casework, billing, lifecycle, webhooks }
  return { log, registry, history, ...ports, tiers, mailer, administrator }
}
