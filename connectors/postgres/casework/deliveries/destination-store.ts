import type { Kysely } from 'kysely'
import type { Tiers } from '../../../../schemas/accounts/tiers/tiers.ts'
import type { Tables } from '../../tables/tables.ts'
import { beginDelivery } from './begin-delivery.ts'
import { contents } from './delivery-contents.ts'
import { leases } from './delivery-leases.ts'
import { upkeep } from './delivery-upkeep.ts'
import { kyselyDestinations } from './destinations.ts'
import type { AlertDestinations, DeliveryQueue } from './port.ts'
import { endings } from './settle-delivery.ts'

/** What is on its way, for those who send. */
export const kyselyDeliveryQueue = (db: Kysely<Tables>): DeliveryQueue => ({
  ...leases(db),
  begin: (lease, now) => beginDelivery(db, lease, now),
  ...contents(db),
  ...endings(db),
  ...upkeep(db),
})

/** Destinations of alerts and their deliveries over the accounts database. */
export const kyselyAlertDestinations = (db: Kysely<Tables>, tiers: Tiers): AlertDestinations => ({
  destinations: kyselyDestinations(db, tiers),
  queue: kyselyDeliveryQueue(db),
})
