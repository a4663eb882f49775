import type { Geo } from '../../connectors/geo/port.ts'
import type { EventLog } from '../../connectors/log/port.ts'
import type { LookupSource } from '../../connectors/lookups/port.ts'
import type { BulkRequests, Comments } from '../../connectors/postgres/intelligence/port.ts'

/** What reports, searches and look-ups work over. */
export type IntelligencePorts = {
  /** The log for bulk: a send that takes long is not given up here, but by the request. */
  bulkLog: Pick<EventLog, 'send' | 'offsets' | 'tail'>
  bulkRequests: BulkRequests
  comments: Comments
  /** Where present entities are looked up by their value. */
  lookups: LookupSource
  /** Where an address is located, by the packaged data. */
  geo: Pick<Geo, 'locate'>
}
