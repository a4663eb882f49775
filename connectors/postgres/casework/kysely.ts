import type { Kysely } from 'kysely'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import type { Tables } from '../tables/tables.ts'
import { kyselyAlertReads } from './alert-reads.ts'
import { kyselyAlertInbox } from './alerts/inbox.ts'
import { kyselyCaseworkEntries } from './entries.ts'
import type { Casework } from './port.ts'
import { kyselyCaseworkRecords } from './records.ts'
import { kyselyTriage } from './triage/kysely.ts'

/** Casework over the accounts database. */
export const kyselyCasework = (db: Kysely<Tables>, tiers: Tiers): Casework => ({
  records: kyselyCaseworkRecords(db, tiers),
  entries: kyselyCaseworkEntries(db),
  alertReads: kyselyAlertReads(db),
  alerts: kyselyAlertInbox(db),
  triage: kyselyTriage(db),
})
