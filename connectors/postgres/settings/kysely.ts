import type { Kysely } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import type { Settings } from './port.ts'

const DEFAULT_TIER = 'default-tier'

export function kyselySettings(db: Kysely<Tables>): Settings {
  return {
    async defaultTier() {
      const query = db.selectFrom('settings').select('value').where('name', '=', DEFAULT_TIER)
      const value = (await query.executeTakeFirst())?.value
      return typeof value === 'string' ? value : null
    },

    async setDefaultTier(tier) {
      const value = JSON.stringify(tier)
      await db
        .insertInto('settings')
        .values({ name: DEFAULT_TIER, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute()
    },
  }
}
