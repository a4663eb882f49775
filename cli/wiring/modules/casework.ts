import type { CaseworkPorts } from '../../../api/casework/ports.ts'
import { kyselyCasework } from '../../../connectors/postgres/casework/casework-store.ts'
import { kyselyAlertDestinations } from '../../../connectors/postgres/casework/deliveries/destination-store.ts'
import { openReceivers } from '../open/receivers.ts'
import { measureDeliveries } from '../process/job-metrics.ts'
import type { Core } from './module.ts'

/** Cases, watchlists, alerts and where these go. The followers `alerts` and `deliveries` make and send them. */
export function caseworkModule({ config, database, tiers, mailer, metrics }: Core) {
  const { destinations, queue } = kyselyAlertDestinations(database.db, tiers)
  return {
    api: {
      casework: kyselyCasework(database.db, tiers),
      destinations,
      sendMessage: openReceivers(config, mailer),
    } satisfies CaseworkPorts,
    measures: (now: number) => [measureDeliveries(queue, metrics, now)],
  }
}
