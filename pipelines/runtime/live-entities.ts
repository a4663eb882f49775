import type { ObservationStore } from '../../connectors/history/port.ts'
import type { ScoringRules } from '../../schemas/intelligence/scoring/rules.ts'
import type { ChangedView } from '../../schemas/intelligence/state/changed-view.ts'
import { type EntityView, fold } from '../../schemas/intelligence/state/entity-view.ts'

/** The live tables of entities, and the rules that their scores follow. */
export type LiveEntities = {
  generation: string
  rules: ScoringRules
  rows: Pick<ObservationStore, 'rowsOf' | 'groupsOf'>
}

/** What a reader is shown of these entities now, as their rows are stored. */
export async function viewsNow(
  rows: LiveEntities['rows'],
  entityIds: readonly string[],
  reads: (audience: readonly string[]) => boolean,
  rules: ScoringRules,
): Promise<Map<string, ChangedView>> {
  const stored = await rows.rowsOf(entityIds)
  const groups = await rows.groupsOf([...new Set(stored.map(({ audience }) => audience))])
  const readable = stored.filter(({ audience }) => reads(groups.get(audience) ?? []))
  const views = new Map<string, ChangedView>()
  for (const [id, those] of Map.groupBy(readable, ({ entityId }) => entityId)) {
    const view: EntityView = fold(those, rules)
    views.set(id, { ...view, retracted: those.every(({ retracted }) => retracted) })
  }
  return views
}
