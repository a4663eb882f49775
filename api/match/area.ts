import type { Route } from '../http/route.ts'
import type { CommonPorts } from '../ports.ts'
import type { MatchPorts } from './ports.ts'
import { eventRoutes } from './routes/events.ts'
import { matchRoutes } from './routes/matches-routes.ts'
import { settingsRoutes } from './routes/settings-routes.ts'
import { eventService } from './services/events.ts'
import { matchesService } from './services/matches-service.ts'
import { settingsService } from './services/settings-service.ts'

/** Routes of telemetry against what is known (decisions 14). */
export function matchArea(ports: CommonPorts & MatchPorts): Route[] {
  const settings = settingsService(ports)
  return [
    ...eventRoutes(eventService({ ...ports, settings })),
    ...settingsRoutes(settings),
    ...matchRoutes(matchesService({ ...ports, settings }), ports.now),
  ]
}
