import type { ObservationKind } from '../../../../schemas/intelligence/observations/observation.ts'
import { type EntityStates, withRow } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { Edge, HistoryRecord, Positioned, Retraction } from '../../../../schemas/intelligence/state/stored.ts'
import { changeOf, type PendingChange } from '../changes.ts'
import { type ObserveRules, observe } from '../observe.ts'

/** Kinds of records that are no reports. */
export type SilentKind = Exclude<ObservationKind, 'report' | 'well_known' | 'verdict' | 'match'>

export const isSilent = (kind: ObservationKind): kind is SilentKind =>
  kind !== 'report' && kind !== 'well_known' && kind !== 'verdict' && kind !== 'match'

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
  let rows = before
  for (const row of observed.rows) rows = withRow(rows, row)
  const change = changes === null ? null : changeOf(before, rows, observed, record, rules)
  if (change !== null) changes!.push(change)
  if (observed.retraction !== undefined) retractions.push(observed.retraction)
  // Such a record is of no new audience, and names no links (validate.ts).
  if (isSilent(o.kind)) return rows
  if (!audiences.has(audience)) audiences.set(audience, o.audience)
  if (observed.kept !== null) {
    const { wellKnown } = observed.rows[0]!
    history.push({ observation: o, partition, offset, audience, accuracy: observed.kept.accuracy, wellKnown })
  }
  for (const link of o.links)
    edges.push({
      entityId: o.entityId,
      relatedId: link.entityId,
      mode: link.mode,
      relationship: link.relationship,
      audience,
      seenAt: o.observedAt,
      offset,
    })
  return rows
}
