/** Present entities as a look-up of many values has them: a few fields of each row, by the value. */

import type { TypedValue } from '../propagation/coverage.ts'
import type { ScoringRules } from '../scoring/rules.ts'
import type { FoldedClaim } from './change.ts'
import type { EntityState } from './entity-state.ts'
import { type EntityView, type FoldedRow, fold } from './entity-view.ts'

/**
 * A present row of one audience. Attributes and where an address is are empty unless all of it was asked for. Claims may be
 * empty where no other row of the entity is beside it.
 */
export type PresentRow = FoldedRow & Pick<EntityState, 'covers'>

/** What one reader is shown of an entity, as far as it was asked for. */
export type PresentView = EntityView & {
  /** Whether its mark covers what is under it (ADR 270). */
  covers: boolean
}

/** A row as an index keeps it: what a reader is shown of it, and what a fold of several asks for. Times are unix milliseconds. */
export type IndexedRow = Pick<
  EntityState,
  | 'audience'
  | 'reputation'
  | 'accuracy'
  | 'best'
  | 'worst'
  | 'wellKnown'
  | 'covered'
  | 'covers'
  | 'retracted'
  | 'met'
  | 'verdict'
  | 'tags'
  | 'attributes'
  | 'attributeTimes'
  | 'country'
  | 'asn'
  | 'aso'
  | 'firstSeen'
  | 'lastSeen'
  | 'scoredAt'
> & { claims: readonly FoldedClaim[] }

/** All rows of an entity. `wide`: what a fold of several of them asks for stands in the store alone. */
export type IndexedEntity = TypedValue & { wide: boolean; rows: readonly IndexedRow[] }

/**
 * Folds rows that one reader may read, each entity by itself; those of which everything was taken back are left out, and
 * what was taken back of the others covers nothing.
 * @param rows of any entities, in any order
 */
export function presentViews(rows: readonly PresentRow[], rules: ScoringRules): PresentView[] {
  if (rows.length === 1) return rows[0]!.retracted ? [] : [rows[0]!]
  const views: PresentView[] = []
  for (const of of Map.groupBy(rows, (row) => row.entityId).values()) {
    if (of.every(({ retracted }) => retracted)) continue
    views.push(
      of.length === 1 ? of[0]! : { ...fold(of, rules), covers: of.some((row) => row.covers && !row.retracted) },
    )
  }
  return views
}
