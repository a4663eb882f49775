import type { AccountsPorts } from '../accounts/ports.ts'
import { verification } from '../accounts/services/sessions/verification.ts'
import { teamService } from '../accounts/services/team/team-service.ts'
import type { Route } from '../http/route.ts'
import type { ApiConfig, CommonPorts } from '../ports.ts'
import type { CaseworkPorts } from './ports.ts'
import { caseworkRoutes } from './routes/casework-routes.ts'
import { destinationRoutes } from './routes/destinations-routes.ts'
import { triageRoutes } from './routes/triage-routes.ts'
import { alertReadService } from './services/alert-reads.ts'
import { alertService } from './services/alerts-service.ts'
import { caseworkEntryService } from './services/casework-entries-service.ts'
import { caseworkService } from './services/casework-service.ts'
import { destinationService } from './services/destinations-service.ts'
import { triageService } from './services/triage-service.ts'

/** Routes of cases, watchlists, conversations, saved searches, triage, alerts and where alerts go. */
export function caseworkArea(ports: CommonPorts & CaseworkPorts & AccountsPorts, config: ApiConfig): Route[] {
  const team = teamService({ ...ports, url: config.url })
  const inbox = {
    alerts: alertService({ ...ports, alerts: ports.casework.alerts }),
    alertReads: alertReadService({ ...ports, alertReads: ports.casework.alertReads }),
  }
  const codes = verification({ ...ports, codes: ports.sessions })
  const destinations = destinationService({ ...ports, verification: codes }, config)
  return [
    ...caseworkRoutes({ casework: caseworkService(ports), entries: caseworkEntryService(ports) }, inbox, team),
    ...destinationRoutes(destinations, team),
    ...triageRoutes(triageService({ ...ports, triage: ports.casework.triage })),
  ]
}
