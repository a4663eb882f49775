import type { History } from '../../../../connectors/history/port.ts'
import {
  currentRows,
  type EntityRow,
  readableRowsByKey,
} from '../../../../connectors/history/sql/queries/entities-queries.ts'
import { sharedRows } from '../../../../connectors/history/stores/shared-rows.ts'
import { builtIn, type Scoring } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'
import { type EntityView, fold, isRetracted } from '../../../../schemas/intelligence/state/entity-view.ts'
import type { Reader } from '../readers.ts'

/** Current entities by id, as far as a reader may know them; ids that it may not read are absent, like unknown ones. */
export function entityViews(history: Pick<History, 'query'>, scoring: Scoring = builtIn) {
  const rowsOf = sharedRows<EntityRow>((...asked) => history.query(readableRowsByKey(...asked)))

  /**
   * The rows of each entity in the audiences of the reader. At most a few thousand ids: they stand in one query, which those
   * who ask for a few share.
   */
  async function states(reader: Reader, ids: readonly string[]): Promise<Map<string, EntityState[]>> {
    if (ids.length === 0) return new Map()
    const found = await rowsOf(reader.audiences, ids)
    return new Map(Array.from(found, ([id, rows]) => [id, currentRows(rows)]))
  }

  return {
    states,
    /** The rules that what is shown follows. */
    scoring,
    /** The view of one entity for a reader of these rows, of which there is at least one. */
    fold: async (rows: readonly EntityState[]): Promise<EntityView> => fold(rows, await scoring()),
    /** What the reader is shown of each of these entities; one of which every report was taken back is absent (ADR 270). */
    async views(reader: Reader, ids: readonly string[]): Promise<Map<string, EntityView>> {
      const known = await states(reader, ids)
      const rules = await scoring()
      return new Map([...known].flatMap(([id, rows]) => (isRetracted(rows) ? [] : [[id, fold(rows, rules)] as const])))
    },
  }
}

export type EntityViews = ReturnType<typeof entityViews>
