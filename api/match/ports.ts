import type { MatchReads } from '../../connectors/history/match/port.ts'
import type { MatchSettingsTable } from '../../connectors/operations/match-settings/port.ts'
import type { TelemetryRecord } from '../../schemas/match/event.ts'

/** What telemetry works over. */
export type MatchPorts = {
  /** Telemetry of owners: its settings, an event as it crosses the log, and what it met and saw. */
  matchSettings: MatchSettingsTable
  encodeTelemetry: (record: TelemetryRecord) => Buffer
  matchReads: MatchReads
}
