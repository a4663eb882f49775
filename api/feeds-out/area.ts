import type { Route } from '../http/route.ts'
import type { ApiPorts } from '../ports.ts'
import { catalogueRoutes } from './routes/catalogue.ts'
import { feedRoutes } from './routes/feeds.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { feedService } from './services/feeds.ts'
import { tokenService } from './services/tokens.ts'

/** Routes of feeds that leave the platform: their definitions, and the tokens of devices. */
export function feedsOutArea(ports: ApiPorts): Route[] {
  const feeds = feedService(ports)
  return [...feedRoutes(feeds), ...tokenRoutes(tokenService(ports)), ...catalogueRoutes(feeds)]
}
