import type { CaseworkPorts } from '../../../api/casework/ports.ts'
import { kyselyCasework } from '../../../connectors/postgres/casework/casework-store.ts'
import { kyselyDestinations } from '../../../connectors/postgres/casework/deliveries/destinations.ts'
import { kyselyDeliveryQueues } from '../../../connectors/postgres/deliveries/delivery-queue.ts'
import { openReceivers } from '../open/receivers.ts'
import { measureDeliveries } from '../process/job-metrics.ts'
import type { Core } from './module.ts'

/** Cases, watchlists, alerts and where these go, with the queue of all deliveries. The followers `alerts` and `deliveries` make and send them. */
export function caseworkModule({ config, database, tiers, mailer, metrics }: Core) {
  const deliveries = kyselyDeliveryQueues(database.db)
  return {
    api: {
      casework: kyselyCasework(database.db, tiers),
      destinations: kyselyDestinations(database.db, tiers),
      sendMessage: openReceivers(config, mailer),
    } satisfies CaseworkPorts,
    measures: (now: number) => [measureDeliveries(deliveries, metrics, now)],
  }
}
