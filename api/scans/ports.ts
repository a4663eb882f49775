import type { ScanTasks } from '../../connectors/postgres/scans/port.ts'

/** What the routes of scans work over. */
export type ScansPorts = {
  scans: ScanTasks
}
