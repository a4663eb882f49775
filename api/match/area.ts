import type { Route } from '../http/route.ts'
import type { ApiPorts } from '../ports.ts'
import { eventRoutes } from './routes/events.ts'
import { matchRoutes } from './routes/matches.ts'
import { settingsRoutes } from './routes/settings.ts'
import { eventService } from './services/events.ts'
import { matchesService } from './services/matches.ts'
import { settingsService } from './services/settings.ts'

/** Routes of telemetry against what is known (decisions 14). */
export function matchArea(ports: ApiPorts): Route[] {
  const settings = settingsService(ports)
  return [
    ...eventRoutes(eventService({ ...ports, settings })),
    ...settingsRoutes(settings),
    ...matchRoutes(matchesService({ ...ports, settings }), ports.now),
  ]
}
