import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables/all-tables.ts'
import type { Named, Names } from './port.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function kyselyNames(db: Kysely<Tables>): Names {
  return {
    async of(ids) {
      const asked = [...new Set(ids.filter((id) => UUID.test(id)).map((id) => id.toLowerCase()))]
      if (asked.length === 0) return new Map()
      const some = sql<boolean>`id = any(${asked}::uuid[])`
      const kind = (of: Named['kind']) => sql<Named['kind']>`${sql.lit(of)}`.as('kind')
      // One statement: an id is of one kind.
      const rows = await db
        .selectFrom('users')
        .select(['id', 'email as name', kind('user')])
        .where(some)
        .unionAll(
          db
            .selectFrom('customers')
            .select(['id', 'name', kind('customer')])
            .where(some),
        )
        .unionAll(
          db
            .selectFrom('key_pairs')
            .select(['id', 'name', kind('key')])
            .where(some),
        )
        .unionAll(
          db
            .selectFrom('feeds')
            .select(['id', 'name', kind('feed')])
            .where(some),
        )
        .execute()
      return new Map(rows.map(({ id, kind, name }) => [id, { kind, name }]))
    },
  }
}
