import type { MatchPorts } from '../../../api/match/ports.ts'
import { matchReads } from '../../../connectors/history/match/reads.ts'
import { logMatchSettings } from '../../../connectors/operations/match-settings/settings.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import type { TelemetryRecord } from '../../../schemas/match/event.ts'
import type { Core } from './module.ts'

/** Telemetry of owners: its settings, its events, and what they met. The follower `match` meets them. */
export const matchModule = ({ recorded, registry, history }: Core) => ({
  api: {
    matchSettings: logMatchSettings(recorded),
    encodeTelemetry: encoder<TelemetryRecord>(records.telemetry, registry.ids.telemetry),
    matchReads: matchReads(history.home),
  } satisfies MatchPorts,
})
