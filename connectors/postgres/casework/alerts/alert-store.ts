import type { Kysely } from 'kysely'
import type { Tables } from '../../tables/all-tables.ts'
import { kyselyAlertWriter } from './alert-writer.ts'
import type { AlertStore } from './port.ts'
import { kyselyWatchedLists } from './watched-lists.ts'

/** What fires alerts of watchlists, over the accounts database. */
export const kyselyAlertStore = (db: Kysely<Tables>): AlertStore => ({
  lists: kyselyWatchedLists(db),
  writer: kyselyAlertWriter(db),
})
