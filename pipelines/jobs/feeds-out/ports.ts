import type { FeedStore } from '../../../connectors/history/feeds-out/port.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { UntilStored } from '../../../connectors/operations/changes/port.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import type { FeedDelta } from '../../../schemas/feeds-out/delta.ts'
import type { Breaker } from '../../runtime/breakers/group-breaker.ts'
import type { LiveEntities } from '../../runtime/live-entities.ts'
import type { KeptLists } from './kept-lists.ts'

export type FeedsPorts = {
  log: Pick<EventLog, 'send' | 'offsets' | 'committed' | 'read' | 'scan'>
  registry: Registry
  store: FeedStore
  live: () => Promise<LiveEntities>
  stored: UntilStored
  encode: (feed: string, delta: FeedDelta) => Buffer
  breaker?: Breaker
}

/** The same for what the process does while it keeps the lists. */
export type KeptPorts = Omit<FeedsPorts, 'store'> & { store: KeptLists }

/** What became of the lists, for metrics and the log. */
export type FeedsReport =
  | { kind: 'stepped'; feeds: number; deltas: number }
  | { kind: 'made'; feed: string; items: number; deltas: number; took: number }
  | { kind: 'held'; feed: string; now: number; would: number }

export type FeedsOptions = {
  /** Unix milliseconds. */
  now: () => number
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
  report: (news: FeedsReport) => void
  onFailure: (what: string, error: unknown) => void
}

/** The consumer group that keeps the lists. */
export const FEEDS_GROUP = 'feeds'
