import type { ApiConfig, ApiPorts } from '../ports.ts'
import type { Route } from '../route.ts'
import { adminInstanceRoutes } from '../routes/admin-instances.ts'
import { adminScanRoutes } from '../routes/admin-scans.ts'
import { caseworkRoutes } from '../routes/casework.ts'
import { instanceRoutes } from '../routes/instances.ts'
import { scanRoutes } from '../routes/scans.ts'
import { alertReadService } from '../services/alert-reads.ts'
import { caseworkService } from '../services/casework.ts'
import { caseworkEntryService } from '../services/casework-entries.ts'
import { instanceService } from '../services/instances.ts'
import { scanService } from '../services/scans.ts'
import { teamService } from '../services/team.ts'

/** What users have done for them, and what they keep: scans, instances, casework. */
export function workArea(ports: ApiPorts, config: ApiConfig): Route[] {
  const team = teamService({ ...ports, url: config.url })
  const scans = scanService(ports, config)
  const instances = instanceService({ ...ports, stepMs: config.computeStepMs })
  const alertReads = alertReadService({ ...ports, alertReads: ports.casework.alertReads })
  return [
    ...scanRoutes(scans),
    ...adminScanRoutes(scans),
    ...instanceRoutes(instances, team),
    ...adminInstanceRoutes(instances),
    ...caseworkRoutes({ casework: caseworkService(ports), entries: caseworkEntryService(ports) }, alertReads, team),
  ]
}
