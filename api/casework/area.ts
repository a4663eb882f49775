import { adminInstanceRoutes } from '../accounts/routes/instances/admin-instances.ts'
import { instanceRoutes } from '../accounts/routes/instances/instances.ts'
import { instanceService } from '../accounts/services/instances/instances.ts'
import { teamService } from '../accounts/services/team/team.ts'
import type { Route } from '../http/route.ts'
import type { ApiConfig, ApiPorts } from '../ports.ts'
import { adminScanRoutes } from '../scans/routes/admin-scans.ts'
import { scanRoutes } from '../scans/routes/scans.ts'
import { scanService } from '../scans/services/scans.ts'
import { caseworkRoutes } from './routes/casework.ts'
import { alertReadService } from './services/alert-reads.ts'
import { caseworkService } from './services/casework.ts'
import { caseworkEntryService } from './services/casework-entries.ts'

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
