import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import type { ScanRequest } from '../../../connectors/postgres/scans/scan-changes.ts'
import { kyselyScans, type Scans } from '../../../connectors/postgres/scans/scan-store.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'

/** Scan tasks over the accounts database. `requestSchema`: id of the schema of their requests. */
export const openScans = (db: AccountsDatabase['db'], requestSchema: number): Scans =>
  kyselyScans(db, encoder<ScanRequest>(records.scanRequest, requestSchema))
