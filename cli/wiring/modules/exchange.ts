import type { ExchangePorts } from '../../../api/exchange/ports.ts'
import { collections } from '../../../connectors/history/feeds-out/collections/reads.ts'
import { logStatedObjects } from '../../../connectors/operations/stated-objects/objects.ts'
import { kyselyInboxStatuses } from '../../../connectors/postgres/intelligence/inbox-status-store.ts'
import type { Core } from './module.ts'

/** Collections and the inbox of the TAXII server. The follower `collections` keeps the collections. */
export const exchangeModule = ({ recorded, history, database }: Core) => ({
  api: {
    collections: collections(history.home),
    inboxStatuses: kyselyInboxStatuses(database.db),
    statedObjects: logStatedObjects(recorded),
  } satisfies ExchangePorts,
})
