import { join } from 'node:path'
import type { Logger } from 'pino'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { embeddedDatabase } from '../../../connectors/postgres/core/embedded/embedded-database.ts'
import { postgresDatabase } from '../../../connectors/postgres/core/server-database.ts'
import type { Config } from '../../../platform/config.ts'
import { logAvailability } from './availability.ts'

const POOL = 10

/** The configured PostgreSQL, or the embedded one in the data folder: one database for all that accounts are made of. */
export async function openDatabase(config: Config, logger: Logger): Promise<AccountsDatabase> {
  return config.databaseUrl === null
    ? await embeddedDatabase({ folder: join(config.dataDir, 'accounts') })
    : await postgresDatabase({
        url: config.databaseUrl,
        poolSize: POOL,
        onConnectionLost: (err) => logger.warn({ err }, 'lost a connection to PostgreSQL'),
        onAvailabilityChange: logAvailability(logger),
      })
}
