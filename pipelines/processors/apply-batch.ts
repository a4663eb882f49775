import { type EntityState, type EntityStates, withRow } from '../../schemas/entity-state.ts'
import type { CountDelta, Edge, HistoryRecord, Positioned } from '../../schemas/stored.ts'
import { countDeltas } from './counts.ts'
import { type ObserveRules, observe } from './observe.ts'

export type Applied = {
  history: HistoryRecord[]
  /** The last state of every changed row. */
  rows: EntityState[]
  /** All rows of every changed entity, for the caller's cache. */
  states: Map<string, EntityStates>
  deltas: CountDelta[]
  edges: Edge[]
  audiences: Map<bigint, readonly string[]>
  /** Records that had been applied before. */
  skipped: number
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
): Applied {
  const states = new Map<string, EntityStates>()
  const history: HistoryRecord[] = []
  const edges: Edge[] = []
  const audiences = new Map<bigint, readonly string[]>()
  let skipped = 0
  for (const record of records) {
    const { observation: o, audience } = record
    let rows = states.get(o.entityId) ?? stored.get(o.entityId) ?? NONE
    const observed = observe(rows, o, audience, record, rules)
    if (observed === null) {
      skipped++
      continue
    }
    for (const row of observed.rows) rows = withRow(rows, row)
    states.set(o.entityId, rows)
    if (!audiences.has(audience)) audiences.set(audience, o.audience)
    if (observed.kept !== null)
      history.push({
        observation: o,
        partition: record.partition,
        offset: record.offset,
        audience,
        accuracy: observed.kept.accuracy,
        wellKnown: observed.rows[0]!.wellKnown,
      })
    for (const link of o.links)
      edges.push({ entityId: o.entityId, relatedId: link.entityId, mode: link.mode, audience, seenAt: o.observedAt })
  }
  const { rows, deltas } = changes(stored, states)
  return { history, rows, states, deltas, edges, audiences, skipped }
}

function changes(stored: ReadonlyMap<string, EntityStates>, states: ReadonlyMap<string, EntityStates>) {
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
