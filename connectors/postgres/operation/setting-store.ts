import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from '../tables/all-tables.ts'
import type { Settings } from './port.ts'

const DEFAULT_TIER = 'default-tier'
const CURSOR_SECRET = 'cursor-secret'
const SECRET_BYTES = 32

export function kyselySettings(db: Kysely<Tables>): Settings {
  async function textOf(name: string): Promise<string | null> {
    const value = (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value
    return typeof value === 'string' ? value : null
  }

  return {
    defaultTier: () => textOf(DEFAULT_TIER),

    async cursorSecret() {
      const known = await textOf(CURSOR_SECRET)
      if (known !== null) return Buffer.from(known, 'base64')
      const value = JSON.stringify(randomBytes(SECRET_BYTES).toString('base64'))
      // Of two processes that start at once, both read what the first one wrote.
      await db
        .insertInto('settings')
        .values({ name: CURSOR_SECRET, value })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
      return Buffer.from((await textOf(CURSOR_SECRET))!, 'base64')
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
