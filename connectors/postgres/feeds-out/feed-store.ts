import type { Kysely } from 'kysely'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import type { Tables } from '../tables/tables.ts'
import { kyselyDownloadTokens } from './download-tokens.ts'
import { kyselyFeeds } from './feed-definitions.ts'
import type { FeedsOut } from './port.ts'

/** Definitions of feeds and their tokens over the accounts database. */
export const kyselyFeedsOut = (db: Kysely<Tables>, tiers: Tiers): FeedsOut => ({
  feeds: kyselyFeeds(db, tiers),
  tokens: kyselyDownloadTokens(db),
})
