import { sharedLoads } from '../../platform/shared-loads.ts'
import { feedCredentials } from '../feeds-out/services/feed-credentials.ts'
import { tokenAccess } from '../feeds-out/services/token-access.ts'
import { BUILT_IN_ADMINISTRATOR } from '../http/middleware/identity.ts'
import type { Route } from '../http/route.ts'
import type { ApiConfig, CommonPorts } from '../ports.ts'
import type { ExchangePorts } from './ports.ts'
import { discoveryRoutes } from './routes/discovery.ts'
import { inboxRoutes } from './routes/inbox-routes.ts'
import { objectRoutes } from './routes/objects-routes.ts'
import { collectionService } from './services/collections-service.ts'
import { inboxService } from './services/inbox-service.ts'

/** Routes of the TAXII 2.1 server (decisions 15.2). */
export function exchangeArea(ports: CommonPorts & ExchangePorts, config: ApiConfig): Route[] {
  const { feedsOut, collections, seals, now } = ports
  const feed = sharedLoads((id) => feedsOut.feeds.feed(id))
  const administrator = config.administrator && BUILT_IN_ADMINISTRATOR
  const credentials = feedCredentials(tokenAccess({ tokens: feedsOut.tokens, administrator, now }))
  const service = collectionService({ feeds: { feed, names: feedsOut.feeds.names }, collections, seals })
  const inbox = inboxService({
    ...ports,
    statuses: ports.inboxStatuses,
    objects: ports.statedObjects,
    metrics: ports.metrics.instruments,
  })
  return [
    ...discoveryRoutes(service, credentials),
    ...objectRoutes(service, credentials),
    ...inboxRoutes(service, inbox, credentials),
  ]
}
