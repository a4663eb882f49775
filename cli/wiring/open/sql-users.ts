import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileUsers, type SqlUsers, serverUsers } from '../../../connectors/history/sql-users/store.ts'
import type { Config } from '../../../platform/config.ts'
import { homeOf, openHistory } from './open-history.ts'

/** Where the embedded engine finds its SQL users. */
export const sqlUsersFile = (dataDir: string): string => join(resolve(dataDir), 'sql-users.json')

/** The SQL users of the configured server, or of the embedded engine, running or not. */
export async function openSqlUsers(config: Pick<Config, 'clickhouseUrl' | 'dataDir'>): Promise<SqlUsers> {
  const { clickhouseUrl, dataDir } = config
  if (clickhouseUrl !== null) return serverUsers(openHistory(clickhouseUrl), homeOf(clickhouseUrl))
  const users = fileUsers(sqlUsersFile(dataDir), 'harrier')
  return {
    ...users,
    async add(...given) {
      await mkdir(resolve(dataDir), { recursive: true, mode: 0o700 })
      return users.add(...given)
    },
  }
}
