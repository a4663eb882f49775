import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import type { EntityState, EntityStates } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { ObserveResult } from '../observe-result.ts'
import { emptyRow } from './verdict.ts'

/**
 * The telemetry of an owner met the entity (decisions 14.4, ADR 218): the row of the audience was seen, and nothing else
 * of it changes, its score no more than when it was scored. Without a row that has claims there is one that readers are
 * shown nothing of but when it was seen. null when it was applied before.
 */
export function meet(
  states: EntityStates,
  o: Observation,
  audience: bigint,
  { partition, offset }: { partition: number; offset: number },
): ObserveResult | null {
  const before = states.find((row) => row.audience === audience)
  if (before !== undefined && before.version > offset) return null
  // Never scored: what is said of it later is scored as of then.
  const row = before ?? { ...emptyRow(states, o, audience), retracted: true, scoredAt: 0 }
  const after = { ...row, partition, version: offset + 1, ...timesAfter(row, o.observedAt) }
  return { rows: [after], kept: { accuracy: after.accuracy } }
}

/** Times of a row without claims and without a verdict are of reports that were taken back: a match stands in their place. */
function timesAfter(row: EntityState, at: number): Pick<EntityState, 'met' | 'lastSeen'> {
  if (row.sources > 0) return { met: false, lastSeen: Math.max(row.lastSeen, at) }
  return { met: true, lastSeen: row.met || row.verdict !== null ? Math.max(row.lastSeen, at) : at }
}
