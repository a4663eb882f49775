import { teamService } from '../accounts/services/team/team.ts'
import type { Route } from '../http/route.ts'
import type { ApiConfig, ApiPorts } from '../ports.ts'
import { caseworkRoutes } from './routes/casework.ts'
import { alertReadService } from './services/alert-reads.ts'
import { caseworkService } from './services/casework.ts'
import { caseworkEntryService } from './services/casework-entries.ts'

/** Routes of cases, watchlists, conversations, saved searches and the read state of alerts. */
export function caseworkArea(ports: ApiPorts, config: ApiConfig): Route[] {
  const team = teamService({ ...ports, url: config.url })
  const alertReads = alertReadService({ ...ports, alertReads: ports.casework.alertReads })
  return caseworkRoutes({ casework: caseworkService(ports), entries: caseworkEntryService(ports) }, alertReads, team)
}
