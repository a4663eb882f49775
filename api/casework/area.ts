import { teamService } from '../accounts/services/team/team.ts'
import type { Route } from '../http/route.ts'
import type { ApiConfig, ApiPorts } from '../ports.ts'
import { caseworkRoutes } from './routes/casework.ts'
import { alertReadService } from './services/alert-reads.ts'
import { alertService } from './services/alerts.ts'
import { caseworkService } from './services/casework.ts'
import { caseworkEntryService } from './services/casework-entries.ts'

/** Routes of cases, watchlists, conversations, saved searches and alerts. */
export function caseworkArea(ports: ApiPorts, config: ApiConfig): Route[] {
  const team = teamService({ ...ports, url: config.url })
  const inbox = {
    alerts: alertService({ ...ports, alerts: ports.casework.alerts }),
    alertReads: alertReadService({ ...ports, alertReads: ports.casework.alertReads }),
  }
  return caseworkRoutes({ casework: caseworkService(ports), entries: caseworkEntryService(ports) }, inbox, team)
}
