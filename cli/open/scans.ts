import type { AccountsDatabase } from '../../connectors/accounts/kysely/tables.ts'
import type { ScanRequest } from '../../connectors/scans/change.ts'
import { kyselyScans, type Scans } from '../../connectors/scans/kysely.ts'
import { encoder } from '../../schemas/codec.ts'
import { records } from '../../schemas/records.ts'

/** Scan tasks over the accounts database. `requestSchema`: id of the schema of their requests. */
export const openScans = (db: AccountsDatabase['db'], requestSchema: number): Scans =>
  kyselyScans(db, encoder<ScanRequest>(records.scanRequest, requestSchema))
