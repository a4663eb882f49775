import type { Kysely } from 'kysely'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import type { Tables } from '../tables/tables.ts'
import { kyselyFeeds } from './feeds.ts'
import type { FeedsOut } from './port.ts'
import { kyselyDownloadTokens } from './tokens.ts'

/** Definitions of feeds and their tokens over the accounts database. */
export const kyselyFeedsOut = (db: Kysely<Tables>, tiers: Tiers): FeedsOut => ({
  feeds: kyselyFeeds(db, tiers),
  tokens: kyselyDownloadTokens(db),
})
