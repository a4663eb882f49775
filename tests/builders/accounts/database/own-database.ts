import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import type { AccountsDatabase } from '../../../../connectors/postgres/core/database.ts'
import { postgresDatabase } from '../../../../connectors/postgres/core/server-database.ts'

/** An empty database of its own on the server of `url`, for tests that others must not meet. */
export async function databaseUrlOf(url: string): Promise<{ url: string; remove(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const own = new URL(url)
  own.pathname = name
  await runStatement(url, `CREATE DATABASE ${name}`)
  return { url: own.href, remove: () => runStatement(url, `DROP DATABASE ${name} WITH (FORCE)`) }
}

/** The same, open and migrated; closing removes it. */
export async function ownDatabase(url: string, poolSize: number): Promise<AccountsDatabase> {
  const own = await databaseUrlOf(url)
  const { close, ...database } = await postgresDatabase({ url: own.url, poolSize, onConnectionLost: () => undefined })
  return { ...database, close: () => close().then(own.remove) }
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
