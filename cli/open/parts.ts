import type { Logger } from 'pino'
import { migrate } from '../../connectors/history/migrate.ts'
import type { Config } from '../../schemas/config.ts'
import type { ApiParts } from '../api.ts'
import type { closing } from '../closing.ts'
import { administratorKey, openAccounts } from './accounts.ts'
import { openBilling } from './billing.ts'
import { ANSWERS, openHistory } from './history.ts'
import { openLog } from './log.ts'
import { openRegistry } from './registry.ts'

export type StoreParts = Pick<ApiParts, 'log' | 'registry' | 'history' | 'accounts' | 'billing'> & {
  administrator: Awaited<ReturnType<typeof administratorKey>>
}

/** Every store of the API, open and migrated; `open` closes them in the opposite order. */
export async function openParts(
  config: Config & { clickhouseUrl: string },
  open: ReturnType<typeof closing>,
  logger: Logger,
): Promise<StoreParts> {
  const unbounded = openHistory(config.clickhouseUrl)
  await migrate(unbounded, { mode: 'single' }).finally(() => unbounded.close())
  const history = openHistory(config.clickhouseUrl, ANSWERS)
  open.push('history', () => history.close())
  const log = await openLog(config)
  open.push('log', () => log.close())
  const registry = await openRegistry(config)
  open.push('registry', () => registry.close())
  const { db, accounts } = await openAccounts(config, logger)
  open.push('accounts', () => accounts.close())
  const billing = openBilling(config, db, registry.ids.lifecycle)
  return { log, registry, history, accounts, billing, administrator: await administratorKey(config) }
}
