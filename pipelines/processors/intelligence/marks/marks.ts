import { PUBLIC_AUDIENCE } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import type { ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import { applyFloor } from '../../../../schemas/intelligence/scoring/score.ts'
import type { EntityState, EntityStates } from '../../../../schemas/intelligence/state/entity-state.ts'
import { MARK_SOURCE } from '../../../../schemas/intelligence/state/stored.ts'
import type { ObserveResult } from '../observe-result.ts'
import { scoreColumns } from '../rows/score-columns.ts'

/**
 * Whether a new version of the row of this audience is covered: as the record says, as the version before it, or as the row
 * of `public`, which everybody reads. A row takes nothing from rows that its readers may not read: that would tell of them
 * (decisions 2.4). A mark that the record names and that was cleared meanwhile is taken back by a record of its own.
 */
export const isCovered = (states: EntityStates, audience: bigint, { covered }: Pick<Observation, 'covered'>): boolean =>
  covered || states.some((row) => row.covered && (row.audience === audience || row.audience === PUBLIC_AUDIENCE))

/**
 * The entity lies under a covering mark: every row of it takes the floor. Nothing else changes, as no source made a claim
 * or a sighting. null when there is nothing to change, as in a second record.
 */
export function cover(states: EntityStates, offset: number): ObserveResult | null {
  const rows = states
    .filter((row) => !row.covered && row.version <= offset)
    .map((row) => ({ ...row, version: offset + 1, covered: true, reputation: applyFloor(row.reputation, true) }))
  return rows.length === 0 ? null : { rows, kept: null }
}

/**
 * No mark covers the entity any more: every row has the score of its claims again, as of the record. null when none is
 * covered (ADR 270).
 */
export function uncover(
  states: EntityStates,
  { observedAt }: Observation,
  offset: number,
  rules?: ScoringRules,
): ObserveResult | null {
  const rows = states
    .filter((row) => row.covered && row.version <= offset)
    .map((row) => unfloored(row, { covered: false }, observedAt, offset, rules))
  return rows.length === 0 ? null : { rows, kept: null }
}

/**
 * The entity is not well known any more, and its mark covers nothing: every row has the score of its claims again, as of
 * the record, unless another mark covers it. The history keeps the mark; that it is cleared stands among what does not
 * count any more. null when the entity is not marked (decisions 17.2, ADR 270).
 */
export function unmark(
  states: EntityStates,
  o: Observation,
  offset: number,
  publicAudience: bigint,
  rules?: ScoringRules,
): ObserveResult | null {
  const { entityId, observedAt } = o
  const rows = states
    .filter((row) => row.wellKnown && row.version <= offset)
    .map((row) => {
      const marks = { wellKnown: false, covers: false, cleared: row.covers || row.cleared }
      return unfloored(row, marks, observedAt, offset, rules)
    })
  if (rows.length === 0) return null
  const cleared = { source: MARK_SOURCE, from: 0, to: observedAt, at: observedAt, offset, trust: 0 }
  return { rows, kept: null, retraction: { entityId, audience: publicAudience, ...cleared } }
}

type Marks = Partial<Pick<EntityState, 'wellKnown' | 'covered' | 'covers' | 'cleared'>>

function unfloored(row: EntityState, marks: Marks, time: number, offset: number, rules?: ScoringRules): EntityState {
  const after = { ...row, ...marks, version: offset + 1 }
  return { ...after, ...scoreColumns(row.type, row.claims, Math.max(row.scoredAt, time), after, rules) }
}
