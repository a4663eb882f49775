import type { ObservationKind } from '../../../schemas/intelligence/observations/observation.ts'
import { type EntityState, type EntityStates, withRow } from '../../../schemas/intelligence/state/entity-state.ts'
import type {
  CountDelta,
  Edge,
  HistoryRecord,
  Positioned,
  Retraction,
} from '../../../schemas/intelligence/state/stored.ts'
import { changesOf, type PendingChange } from './changes.ts'
import { countDeltas } from './counts.ts'
import { type ObserveRules, observe } from './observe.ts'

export type AppliedBatch = {
  history: HistoryRecord[]
  /** The last state of every changed row. */
  rows: EntityState[]
  /** All rows of every changed entity, for the caller's cache. */
  states: Map<string, EntityStates>
  deltas: CountDelta[]
  edges: Edge[]
  audiences: Map<bigint, readonly string[]>
  /** In log order. */
  changes: PendingChange[]
  retractions: Retraction[]
  /** System records and retractions that were applied: they have no effect other than on rows. */
  silent: Record<SilentKind, number>
  /** Records that had been applied before, or had nothing to change. */
  skipped: number
}

/** Kinds of records that are no reports. */
export type SilentKind = 'covered' | 'tick' | 'retraction'

const NONE: EntityStates = []

const isSilent = (kind: ObservationKind): kind is SilentKind =>
  kind === 'covered' || kind === 'tick' || kind === 'retraction'

/** Where what the records give goes, one by one and in log order. */
export type Sinks = {
  history: { push(record: HistoryRecord): unknown }
  edges: { push(edge: Edge): unknown }
  audiences: { has(audience: bigint): boolean; set(audience: bigint, groups: readonly string[]): unknown }
  retractions: { push(retraction: Retraction): unknown }
  /** null: changes are not published. */
  changes: { push(change: PendingChange): unknown } | null
}

/**
 * Applies one record to the rows of its entity, pure but for the sinks.
 * @returns the rows after it, or null when it had been applied before or has nothing to change
 */
export function applyRecord(
  before: EntityStates,
  record: Positioned,
  rules: ObserveRules,
  { history, edges, audiences, retractions, changes }: Sinks,
): EntityStates | null {
  const { observation: o, audience, partition, offset } = record
  const observed = observe(before, o, audience, record, rules)
  if (observed === null) return null
  if (changes !== null) for (const change of changesOf(before, observed, record)) changes.push(change)
  let rows = before
  for (const row of observed.rows) rows = withRow(rows, row)
  if (observed.retraction !== undefined) retractions.push(observed.retraction)
  // Such a record is of no new audience, and names no links (validate.ts).
  if (isSilent(o.kind)) return rows
  if (!audiences.has(audience)) audiences.set(audience, o.audience)
  if (observed.kept !== null) {
    const { wellKnown } = observed.rows[0]!
    history.push({ observation: o, partition, offset, audience, accuracy: observed.kept.accuracy, wellKnown })
  }
  for (const link of o.links)
    edges.push({ entityId: o.entityId, relatedId: link.entityId, mode: link.mode, audience, seenAt: o.observedAt })
  return rows
}

/**
 * Folds a batch of one partition, in log order, into rows to store. Pure; `stored` holds what was known of the batch's
 * entities before. The same batch over the same states gives the same rows.
 */
export function applyBatch(
  stored: ReadonlyMap<string, EntityStates>,
  records: readonly Positioned[],
  rules: ObserveRules,
): AppliedBatch {
  const states = new Map<string, EntityStates>()
  const history: HistoryRecord[] = []
  const edges: Edge[] = []
  const audiences = new Map<bigint, readonly string[]>()
  const retractions: Retraction[] = []
  const changes: PendingChange[] = []
  const sinks = { history, edges, audiences, retractions, changes }
  const silent = { covered: 0, tick: 0, retraction: 0 }
  let skipped = 0
  for (const record of records) {
    const { entityId, kind } = record.observation
    const rows = applyRecord(states.get(entityId) ?? stored.get(entityId) ?? NONE, record, rules, sinks)
    if (rows === null) skipped++
    else {
      states.set(entityId, rows)
      if (isSilent(kind)) silent[kind]++
    }
  }
  const { rows, deltas } = rowsToStore(stored, states)
  return { history, rows, states, deltas, edges, audiences, changes, retractions, silent, skipped }
}

function rowsToStore(stored: ReadonlyMap<string, EntityStates>, states: ReadonlyMap<string, EntityStates>) {
  const rows: EntityState[] = []
  const counts = countDeltas()
  for (const [entityId, after] of states) {
    const before = stored.get(entityId) ?? NONE
    for (const row of after) {
      const old = before.find((r) => r.audience === row.audience)
      if (old === row) continue
      rows.push(row)
      counts.replace(old, row)
    }
  }
  return { rows, deltas: [...counts.deltas()] }
}
