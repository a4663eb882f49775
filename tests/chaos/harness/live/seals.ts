/** The secret by which a platform names its events, from where it keeps its accounts. */

import { join } from 'node:path'
import type { AccountsDatabase } from '../../../../connectors/postgres/core/database.ts'
import { embeddedDatabase } from '../../../../connectors/postgres/core/embedded/embedded-database.ts'
import { postgresDatabase } from '../../../../connectors/postgres/core/server-database.ts'
import { kyselySettings } from '../../../../connectors/postgres/operation/setting-store.ts'
import { type Seals, seals } from '../../../../schemas/cursors/seal.ts'

async function sealsIn({ db, close }: Pick<AccountsDatabase, 'db' | 'close'>): Promise<Seals> {
  return seals(await kyselySettings(db).cursorSecret().finally(close))
}

/** Of a platform on embedded defaults, once it has stopped. */
export const sealsOf = async (dataDir: string): Promise<Seals> =>
  sealsIn(await embeddedDatabase({ folder: join(dataDir, 'accounts') }))

/** Of a platform on a PostgreSQL server. */
export const sealsAt = async (url: string): Promise<Seals> =>
  sealsIn(await postgresDatabase({ url, poolSize: 1, onConnectionLost: () => undefined }))
