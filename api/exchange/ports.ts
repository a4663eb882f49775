import type { Collections } from '../../connectors/history/feeds-out/collections/port.ts'
import type { StatedObjects } from '../../connectors/operations/stated-objects/port.ts'
import type { InboxStatuses } from '../../connectors/postgres/intelligence/port.ts'

/** What the TAXII server works over. */
export type ExchangePorts = {
  /** The TAXII collections of feeds. */
  collections: Collections
  /** What became of envelopes of the inbox, and what objects of producers claim. */
  inboxStatuses: InboxStatuses
  statedObjects: Pick<StatedObjects, 'find' | 'put'>
}
