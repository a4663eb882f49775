import type { Geo } from '../../connectors/geo/port.ts'
import type { History } from '../../connectors/history/port.ts'
import type { EventLog } from '../../connectors/log/port.ts'
import type { BulkRequests, Comments } from '../../connectors/postgres/intelligence/port.ts'
import type { Observation } from '../../schemas/intelligence/observations/observation.ts'
import type { Scoring } from '../../schemas/intelligence/scoring/rules.ts'

/** What reports, searches and look-ups work over. */
export type IntelligencePorts = {
  /** The log for bulk: a send that takes long is not given up here, but by the request. */
  bulkLog: Pick<EventLog, 'send' | 'offsets' | 'tail'>
  bulkRequests: BulkRequests
  history: Pick<History, 'query'>
  /** The rules by which what `history` holds was scored. */
  scoring: Scoring
  /** An observation as it crosses the log. */
  encodeObservation: (observation: Observation) => Buffer
  comments: Comments
  /** Where an address is located, by the packaged data. */
  geo: Pick<Geo, 'locate'>
}
