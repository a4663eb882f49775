import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../tables/all-tables.ts'

/** Rows of one table that are of no use any more: those for which `where` holds, by their key; at most `limit` at a time. */
export type Useless<Table extends keyof Tables> = {
  from: Table
  key: readonly (keyof Tables[Table] & string)[]
  where: RawBuilder<unknown>
  limit: number
}

/**
 * Deletes rows that no other process has in hand: processes that drop the same rows at once never wait for each other.
 * @returns how many it deleted; as many as `limit`: there may be more
 */
export async function dropRows<Table extends keyof Tables & string>(
  db: Kysely<Tables>,
  { from, key, where, limit }: Useless<Table>,
): Promise<number> {
  const table = sql.table(from)
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const { rows } = await sql`
    DELETE FROM ${table} WHERE (${columns}) IN (
      SELECT ${columns} FROM ${table} WHERE ${where} LIMIT ${sql.lit(limit)} FOR UPDATE SKIP LOCKED
    ) RETURNING 1`.execute(db)
  return rows.length
}
