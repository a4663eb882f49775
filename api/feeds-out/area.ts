import { sharedLoads } from '../../platform/shared-loads.ts'
import type { AccountsPorts } from '../accounts/ports.ts'
import { keyMaker } from '../accounts/services/sessions/key-maker.ts'
import { BUILT_IN_ADMINISTRATOR } from '../http/middleware/identity.ts'
import type { Route } from '../http/route.ts'
import type { ApiConfig, CommonPorts } from '../ports.ts'
import type { FeedsOutPorts } from './ports.ts'
import { catalogueRoutes } from './routes/catalogue-routes.ts'
import { feedRoutes } from './routes/feeds-routes.ts'
import { itemRoutes } from './routes/items.ts'
import { tokenRoutes } from './routes/tokens-routes.ts'
import { deliveryOf } from './services/delivery.ts'
import { deltaService } from './services/deltas.ts'
import { feedCredentials } from './services/feed-credentials.ts'
import { feedService } from './services/feeds-service.ts'
import { generations } from './services/generations.ts'
import { tokenAccess } from './services/token-access.ts'
import { tokenService } from './services/tokens-service.ts'
import { waiting } from './services/waiting.ts'

/** Routes of feeds that leave the platform: their definitions, and the tokens of devices. */
export function feedsOutArea(ports: CommonPorts & FeedsOutPorts & AccountsPorts, config: ApiConfig): Route[] {
  const { feedsOut, feedStates, feedLists: lists, feedFiles: files, seals, now } = ports
  const feeds = feedService(ports)
  const deltas = deltaService({ lists, seals, waiting: waiting(feedStates) })
  const made = generations({ lists, files, version: config.version, now })
  // Devices of one feed ask at the same time: the rights of each are looked up after it asked, and not each alone.
  const feed = sharedLoads((id) => feedsOut.feeds.feed(id))
  const token = sharedLoads((hash) => feedsOut.tokens.find(Buffer.from(hash, 'hex')))
  const tokens = { find: (hash: Buffer) => token(hash.toString('hex')) }
  const delivery = deliveryOf({ feeds: { feed }, generations: made, files, cursor: deltas.cursor, now })
  const administrator = config.administrator && BUILT_IN_ADMINISTRATOR
  const credentials = feedCredentials(tokenAccess({ tokens, administrator, now }))
  return [
    ...feedRoutes(feeds),
    ...tokenRoutes(tokenService({ ...ports, keys: keyMaker(ports.sessions) })),
    ...catalogueRoutes(feeds),
    ...itemRoutes(delivery, deltas, credentials),
  ]
}
