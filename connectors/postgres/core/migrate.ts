/** Schema changes, in order. A migration is never edited once it has left the house: the next one corrects it. */

import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { up as accounts } from '../migrations/0001-accounts.ts'
import { up as customers } from '../migrations/0002-customers.ts'
import { up as sessions } from '../migrations/0003-sessions.ts'
import { up as limits } from '../migrations/0005-limits.ts'
import { up as outbox } from '../migrations/0006-outbox.ts'
import { up as comments } from '../migrations/0007-comments.ts'
import { up as scans } from '../migrations/0008-scans.ts'
import { up as webhooks } from '../migrations/0009-webhooks.ts'
import { up as compute } from '../migrations/0010-compute.ts'
import { up as casework } from '../migrations/0011-casework.ts'
import { up as lifecycle } from '../migrations/0012-lifecycle.ts'
import { up as lists } from '../migrations/0013-lists.ts'
import { up as caseworkEntries } from '../migrations/0014-casework-entries.ts'
import { up as addresses } from '../migrations/0016-addresses.ts'
import { up as memberships } from '../migrations/0017-memberships.ts'
import { up as knownNetworks } from '../migrations/0018-known-networks.ts'
import { up as workSignals } from '../migrations/0019-work-signals.ts'
import { up as feedsOut } from '../migrations/0020-feeds-out.ts'
import { up as live } from '../migrations/0021-live.ts'
import { up as alerts } from '../migrations/0022-alerts.ts'
import { up as destinations } from '../migrations/0023-destinations.ts'
import { up as alertsOfMatches } from '../migrations/0024-alerts-of-matches.ts'
import { up as bulk } from '../migrations/0025-bulk.ts'
import { up as inbox } from '../migrations/0026-inbox.ts'
import { up as scopedKeys } from '../migrations/0027-scoped-keys.ts'
import { up as audit } from '../migrations/0028-audit.ts'
import { up as signOn } from '../migrations/0029-sign-on.ts'
import { up as invitations } from '../migrations/0031-invitations.ts'
import { up as triage } from '../migrations/0032-triage.ts'
import { up as consent } from '../migrations/0033-consent.ts'
import { up as assumedAddresses } from '../migrations/0034-assumed-addresses.ts'
import { up as oneDeliveryQueue } from '../migrations/0035-one-delivery-queue.ts'

/** Exported for tests of one migration, which begin with the tables of before. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts': { up: accounts },
  '0002-customers': { up: customers },
  '0003-sessions': { up: sessions },
  '0005-limits': { up: limits },
  '0006-outbox': { up: outbox },
  '0007-comments': { up: comments },
  '0008-scans': { up: scans },
  '0009-webhooks': { up: webhooks },
  '0010-compute': { up: compute },
  '0011-casework': { up: casework },
  '0012-lifecycle': { up: lifecycle },
  '0013-lists': { up: lists },
  '0014-casework-entries': { up: caseworkEntries },
  '0016-addresses': { up: addresses },
  '0017-memberships': { up: memberships },
  '0018-known-networks': { up: knownNetworks },
  '0019-work-signals': { up: workSignals },
  '0020-feeds-out': { up: feedsOut },
  '0021-live': { up: live },
  '0022-alerts': { up: alerts },
  '0023-destinations': { up: destinations },
  '0024-alerts-of-matches': { up: alertsOfMatches },
  '0025-bulk': { up: bulk },
  '0026-inbox': { up: inbox },
  '0027-scoped-keys': { up: scopedKeys },
  '0028-audit': { up: audit },
  '0029-sign-on': { up: signOn },
  '0031-invitations': { up: invitations },
  '0032-triage': { up: triage },
  '0033-consent': { up: consent },
  '0034-assumed-addresses': { up: assumedAddresses },
  '0035-one-delivery-queue': { up: oneDeliveryQueue },
}

const LATEST = Object.keys(migrations).at(-1)!

/** Brings the schema up to date; of several processes at once, one does it and the others wait. Throws the first fault. */
export async function migrate<Tables>(db: Kysely<Tables>): Promise<void> {
  if (await isUpToDate(db)) return
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

/**
 * Whether exactly our migrations were applied. The migrator asks the database about all of its tables, twice, before it
 * says the same; that was half of what a start asked of the embedded database.
 */
async function isUpToDate<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const { rows: tables } = await sql<{ is: boolean }>`SELECT to_regclass('kysely_migration') IS NOT NULL AS is`.execute(
    db,
  )
  if (tables[0]?.is !== true) return false
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)
  return rows.length === Object.keys(migrations).length && rows.every(({ name }) => name in migrations)
}

/**
 * The newest migration that was applied. Throws when ours are not all there. One that we do not know is no fault: a newer
 * version of this program has been started beside us.
 */
export async function appliedMigration<Tables>(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ name: string | null }>`SELECT max(name) AS name FROM kysely_migration`.execute(db)
  const name = rows[0]?.name ?? ''
  if (name < LATEST) throw new Error(`migration ${LATEST} has not been applied (newest: ${name || 'none'})`)
  return name
}
