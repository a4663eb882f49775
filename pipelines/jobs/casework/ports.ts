import type { EventLog } from '../../../connectors/log/port.ts'
import type { UntilStored } from '../../../connectors/operations/changes/port.ts'
import type { AlertStore, StoredAlerts } from '../../../connectors/postgres/casework/alerts/port.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import type { Breaker } from '../../runtime/breakers/group-breaker.ts'
import type { LiveEntities } from '../../runtime/live-entities.ts'

/** The consumer group that fires alerts. */
export const ALERTS_GROUP = 'alerts'

export type AlertsPorts = {
  log: Pick<EventLog, 'send' | 'offsets' | 'offsetsAt' | 'committed' | 'setOffsets'>
  registry: Registry
  store: AlertStore
  live: () => Promise<LiveEntities>
  stored: UntilStored
  breaker?: Breaker
}

/** For metrics: what became of alerts, and how many items this process holds. */
export type AlertsReport = { stored: StoredAlerts } | { held: number }

export type AlertsOptions = {
  /** Unix milliseconds. */
  now: () => number
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  report: (news: AlertsReport) => void
  onFailure: (what: string, error: unknown) => void
}
