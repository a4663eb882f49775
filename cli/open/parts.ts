import type { Logger } from 'pino'
import { migrate } from '../../connectors/history/migrate.ts'
import type { Config } from '../../schemas/config.ts'
import type { ApiParts } from '../api.ts'
import type { closing } from '../closing.ts'
import { administratorKey, openAccounts, openDatabase } from './accounts.ts'
import { openBilling } from './billing.ts'
import { ANSWERS, openHistory } from './history.ts'
import { openLimits } from './limits.ts'
import { openLog } from './log.ts'
import { openMailer } from './mailer.ts'
import { openRegistry } from './registry.ts'
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
  | 'tiers'
  | 'billing'
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
  const unbounded = openHistory(config.clickhouseUrl)
  await migrate(unbounded, { mode: 'single' }).finally(() => unbounded.close())
  const history = openHistory(config.clickhouseUrl, ANSWERS)
  open.push('history', () => history.close())
  const log = await openLog(config)
  open.push('log', () => log.close())
  const registry = await openRegistry(config)
  open.push('registry', () => registry.close())
  const database = await openDatabase(config, logger)
  const people = openAccounts(database)
  open.push('accounts', () => people.accounts.close())
  const limited = openLimits(database.db, tiers, logger)
  open.push('limits', () => limited.close())
  const billing = openBilling(config, database.db, tiers, registry.ids.lifecycle)
  const mailer = openMailer(config, logger)
  const administrator = await administratorKey(config)
  return { log, registry, history, ...people, ...limited.ports, billing, tiers, mailer, administrator }
}
