/** Scan tasks over the accounts database. */

import type { Kysely } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import type { ScanTasks, ScanUpkeep, ScanWork } from './port.ts'
import type { EncodeRequest } from './scan-changes.ts'
import { kyselyScanTasks } from './scan-tasks.ts'
import { kyselyScanUpkeep } from './scan-upkeep.ts'
import { kyselyScanWork } from './scan-work.ts'

export type Scans = ScanTasks & ScanWork & ScanUpkeep

/** `encode`: a request as it crosses the log. */
export const kyselyScans = (db: Kysely<Tables>, encode: EncodeRequest): Scans => ({
  ...kyselyScanTasks(db, encode),
  ...kyselyScanWork(db, encode),
  ...kyselyScanUpkeep(db, encode),
})
