import type { EntityState, EntityStates } from '../../../schemas/intelligence/state/entity-state.ts'
import type { Edge, HistoryRecord, Positioned, Retraction } from '../../../schemas/intelligence/state/stored.ts'
import type { PendingChange } from './changes.ts'
import type { ObserveRules } from './observe.ts'
import { type Folded, foldBatch, newPlace, type Place } from './rows/fold-batch.ts'

/** All that a batch gives, as lists. */
export type AppliedBatch = Folded & {
  history: HistoryRecord[]
  /** The last state of every changed row. */
  rows: EntityState[]
  /** All rows of every changed entity, for the caller's cache. */
  states: Map<string, EntityStates>
  edges: Edge[]
  audiences: Map<bigint, readonly string[]>
  /** In log order. */
  changes: PendingChange[]
  retractions: Retraction[]
}

const NONE: EntityStates = []

/**
 * Folds a batch of one partition, in log order, into rows to store. Pure; `stored` holds what was known of the batch's
 * entities before. The same batch over the same states gives the same rows.
 */
export function applyBatch(
  stored: ReadonlyMap<string, EntityStates>,
  records: readonly Positioned[],
  rules: ObserveRules,
): AppliedBatch {
  const places = new Map<string, Place>()
  for (const { observation } of records) {
    const known = places.get(observation.entityId)
    if (known === undefined) places.set(observation.entityId, newPlace(stored.get(observation.entityId) ?? NONE, true))
    else known.left++
  }
  const lists = { history: [], rows: [], edges: [], audiences: new Map(), changes: [], retractions: [] }
  const folded = foldBatch(places, records, ({ observation }) => places.get(observation.entityId)!, rules, lists)
  return { ...lists, ...folded, states: changedStates(places) }
}

/** The rows of the entities that were changed and kept. */
export function changedStates(places: ReadonlyMap<string, Place>): Map<string, EntityStates> {
  const states = new Map<string, EntityStates>()
  for (const [id, { rows, stored }] of places) if (rows !== stored) states.set(id, rows)
  return states
}
