import type { CollectionSource, CollectionStore } from '../../../connectors/history/feeds-out/collections/port.ts'
import type { ObservationStore } from '../../../connectors/history/port.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { WriteObjects, WrittenObject } from '../../processors/exchange/collection-steps.ts'
import type { Written } from '../../runtime/unwritten.ts'

/** The consumer group that keeps the collections. */
export const COLLECTIONS_GROUP = 'collections'

/** The live tables of entities, and the rules that their scores follow. */
export type LiveRows = { rules: ScoringRules; rows: Pick<ObservationStore, 'rowsOf' | 'groupsOf'> }

export type CollectionsPorts = {
  store: CollectionStore
  source: CollectionSource
  live: () => Promise<LiveRows>
  /** Whether something was written to the store, and so there may be other lists. */
  written?: Written
  /** How items are said, and what every collection begins with. */
  write: WriteObjects
  definitions: (facts: { id: string; isPublic: boolean }) => readonly WrittenObject[]
}

/** What became of the collections, for metrics and the log. */
export type CollectionsReport =
  | { kind: 'written'; collections: number; objects: number; took: number }
  | { kind: 'filled'; feed: string; objects: number; took: number }

export type CollectionsOptions = {
  /** Unix milliseconds. */
  now: () => number
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
  report: (news: CollectionsReport) => void
  onFailure: (what: string, error: unknown) => void
}
