import type { Kysely } from 'kysely'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import type { Tables } from '../tables/all-tables.ts'
import { kyselyAlertInbox, kyselyAlertReads } from './alerts/alert-inbox.ts'
import { kyselyCaseworkEntries } from './casework-entries.ts'
import { kyselyCaseworkRecords } from './casework-records.ts'
import type { Casework } from './port.ts'
import { kyselyTriage } from './triage-store.ts'

/** Casework over the accounts database. */
export const kyselyCasework = (db: Kysely<Tables>, tiers: Tiers): Casework => ({
  records: kyselyCaseworkRecords(db, tiers),
  entries: kyselyCaseworkEntries(db),
  alertReads: kyselyAlertReads(db),
  alerts: kyselyAlertInbox(db),
  triage: kyselyTriage(db),
})
