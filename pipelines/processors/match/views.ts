import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { ChangedView, LoneRow } from '../../../schemas/intelligence/state/changed-view.ts'
import type { EntityState } from '../../../schemas/intelligence/state/entity-state.ts'
import { fold } from '../../../schemas/intelligence/state/entity-view.ts'

type Reads = (audience: readonly string[]) => boolean

/** Present rows of some entities, as readers are shown them. */
export type PresentViews = {
  /** null: the reader reads nothing of it. */
  viewOf(entityId: string, reader: { key: string; reads: Reads }): ChangedView | null
  /** What it is, whoever reads it; null: it is not stored. */
  named(entityId: string): { type: string; value: string } | null
  /** The groups of each row of which something counts. */
  audiencesOf(entityId: string): readonly (readonly string[])[]
}

/**
 * @param lone the only row of each entity that has one
 * @param rows all rows of the others
 * @param groups of each audience of a row
 */
export function presentViews(
  lone: readonly LoneRow[],
  rows: readonly EntityState[],
  groups: ReadonlyMap<bigint, readonly string[]>,
  rules: ScoringRules,
): PresentViews {
  const alone = new Map(lone.map((row) => [row.entityId, row]))
  const several = Map.groupBy(rows, ({ entityId }) => entityId)
  const views = new Map<string, ChangedView | null>()

  function rowsOf(entityId: string): readonly (LoneRow | EntityState)[] {
    const one = alone.get(entityId)
    return one === undefined ? (several.get(entityId) ?? []) : [one]
  }

  function folded(entityId: string, reads: Reads): ChangedView | null {
    const one = alone.get(entityId)
    if (one !== undefined) return reads(groups.get(one.audience) ?? []) ? one : null
    const readable = (several.get(entityId) ?? []).filter(({ audience }) => reads(groups.get(audience) ?? []))
    if (readable.length === 0) return null
    return { ...fold(readable, rules), retracted: readable.every(({ retracted }) => retracted) }
  }

  return {
    viewOf(entityId, { key, reads }) {
      if (!alone.has(entityId) && !several.has(entityId)) return null
      const name = `${entityId} ${key}`
      const known = views.get(name)
      if (known !== undefined) return known
      const view = folded(entityId, reads)
      views.set(name, view)
      return view
    },
    named: (entityId) => rowsOf(entityId)[0] ?? null,
    audiencesOf: (entityId) =>
      rowsOf(entityId)
        .filter(({ retracted }) => !retracted)
        .map(({ audience }) => groups.get(audience) ?? []),
  }
}
