import type { History } from '../../../../connectors/history/port.ts'
import {
  currentRows,
  type EntityRow,
  isInFolds,
  isInViews,
  latestRows,
  readableRowsByKey,
} from '../../../../connectors/history/sql/queries/entities-queries.ts'
import { builtIn, type Scoring } from '../../../../schemas/intelligence/scoring/rules.ts'
import { entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import { type EntityView, fold, isRetracted } from '../../../../schemas/intelligence/state/entity-view.ts'

type VisibleRow = Pick<EntityRow, 'entity_id' | 'audience' | 'version' | 'well_known'>

/**
 * Of rows without their claims, one for each entity: the current row, when it stands in one of these audiences. Those in
 * several are read again with their claims, which are to be scored together. Retracted rows are left out (ADR 270).
 */
export async function foldVisibleRows<Row extends VisibleRow>(
  history: Pick<History, 'query'>,
  found: readonly Row[],
  audiences: readonly bigint[],
  scoring: Scoring = builtIn,
): Promise<{ single: Row[]; folded: EntityView[] }> {
  const entities = [...Map.groupBy(latestRows(found).filter(isInFolds), (row) => row.entity_id).values()].filter((of) =>
    of.some(isInViews),
  )
  const single = entities.filter((of) => of.length === 1).map((of) => of[0]!)
  const several = new Set(entities.filter((of) => of.length > 1).map((of) => of[0]!.entity_id))
  if (several.size === 0) return { single, folded: [] }
  const keys = [...new Set([...several].map(entityKey))]
  const full = currentRows(await history.query<EntityRow>(readableRowsByKey(keys, audiences)))
  const rules = await scoring()
  const rows = Map.groupBy(
    full.filter((row) => several.has(row.entityId)),
    (row) => row.entityId,
  )
  return { single, folded: [...rows.values()].filter((of) => !isRetracted(of)).map((of) => fold(of, rules)) }
}
