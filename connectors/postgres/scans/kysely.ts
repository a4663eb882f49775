/** Scan tasks over the accounts database. */

import type { AccountsDatabase } from '../tables/tables.ts'
import type { EncodeRequest } from './change.ts'
import type { ScanTasks, ScanUpkeep, ScanWork } from './port.ts'
import { kyselyScanTasks } from './tasks.ts'
import { kyselyScanUpkeep } from './upkeep.ts'
import { kyselyScanWork } from './work.ts'

export type Scans = ScanTasks & ScanWork & ScanUpkeep

/** `encode`: a request as it crosses the log. */
export const kyselyScans = (db: AccountsDatabase['db'], encode: EncodeRequest): Scans => ({
  ...kyselyScanTasks(db, encode),
  ...kyselyScanWork(db, encode),
  ...kyselyScanUpkeep(db, encode),
})
