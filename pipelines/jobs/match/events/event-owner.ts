import { TELEMETRY } from '../../../../schemas/log/topics.ts'
import type { TelemetryRecord } from '../../../../schemas/match/event.ts'
import type { MatchPorts } from '../ports.ts'

/**
 * Whose telemetry a record is: of the topic of producers it is said by their registration, and of what the API accepted by
 * the record (decisions 14.1).
 */
export function ownerOfEvent(
  topic: string,
  { feed, owner }: Pick<TelemetryRecord, 'feed' | 'owner'>,
  producers: Pick<MatchPorts['producers'], 'get'>,
): { owner: string } | { reason: string } {
  if (topic !== TELEMETRY) return owner === '' ? { reason: 'owner is missing' } : { owner }
  if (owner !== '')
    return { reason: 'owner must be empty: the registration of the feed names the owner of its telemetry' }
  const known = producers.get(feed)
  if (known === undefined) return { reason: `feed "${feed.slice(0, 100)}" is not registered` }
  return known.owner === null ? { reason: `feed "${feed}" is not registered for telemetry` } : { owner: known.owner }
}
