import type { IndicatorSource, MatchStore } from '../../../connectors/history/match/port.ts'
import type { ObservationStore } from '../../../connectors/history/port.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { UntilStored } from '../../../connectors/operations/changes/port.ts'
import type { MatchSettingsTable } from '../../../connectors/operations/match-settings/port.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import type { FeedRegistration } from '../../../schemas/intelligence/observations/feed.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { MatchRecord } from '../../../schemas/match/match.ts'
import type { Breaker } from '../../runtime/breakers/group-breaker.ts'
import type { Written } from '../../runtime/unwritten.ts'

/** The consumer group that matches telemetry. */
export const MATCH_GROUP = 'telemetry'

/** The live tables of entities, the rules that their scores follow, and what of them may be an indicator. */
export type LiveIndicators = {
  generation: string
  rules: ScoringRules
  rows: Pick<ObservationStore, 'rowsOf' | 'groupsOf'>
  indicators: IndicatorSource
}

export type MatchPorts = {
  log: Pick<EventLog, 'send' | 'offsets' | 'committed' | 'read'>
  registry: Registry
  settings: MatchSettingsTable
  /** Registered producers, as the log has them. */
  producers: { refresh(): Promise<void>; get(name: string): FeedRegistration | undefined }
  store: MatchStore
  live: () => Promise<LiveIndicators>
  stored: UntilStored
  /** Whether something was written to the store, and so other tables made the live ones. */
  written?: Written
  encodeMatch: (record: MatchRecord) => Buffer
  encodeObservation: (record: Observation) => Buffer
  breaker?: Breaker
}

/** What became of telemetry, for metrics. */
export type MatchReport =
  | { kind: 'events'; arrived: number; repeats: number; dead: number; forward: number; age: number; took: number }
  | { kind: 'changes'; entered: number; left: number; retro: number }
  | { kind: 'index'; indicators: number; bytes: number; took: number }
  | { kind: 'settings'; owner: string; took: number }

export type MatchOptions = {
  /** Unix milliseconds. */
  now: () => number
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
  report: (news: MatchReport) => void
  /** Size of what tells ids of events that are new from others, as a power of two of bits; default: 64 MiB. */
  idBitsLog2?: number
  onFailure: (what: string, error: unknown) => void
}
