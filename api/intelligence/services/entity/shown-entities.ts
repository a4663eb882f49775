import type { History } from '../../../../connectors/history/port.ts'
import {
  isInViews,
  type LookedUpRow,
  latestRows,
  type ShownRow,
  shownRows,
} from '../../../../connectors/history/sql/queries/entities-queries.ts'
import { isRetracted } from '../../../../schemas/intelligence/state/entity-view.ts'
import type { Reader } from '../readers.ts'
import { type RecordView, viewOf } from './entity-record.ts'
import type { EntityViews } from './entity-views.ts'
import { sharedRows } from './shared-rows.ts'
import { withId } from './visible-rows.ts'

/** @property retracted every report of it that the reader may read was taken back */
export type ShownEntity = { view: RecordView; retracted: boolean }

/** Bytes of the rows of one entity: as much as one statement may answer with. */
const MAX_BYTES = 512 * 1024 * 1024

/** What a record shows of single entities. Claims are read of those alone that stand in several audiences of the reader. */
export function shownEntities(history: Pick<History, 'query'>, entities: Pick<EntityViews, 'states' | 'fold'>) {
  const rowsOf = sharedRows<ShownRow>(async (keys, audiences, maxBytes = MAX_BYTES) => {
    const rows = await history.query<LookedUpRow>(shownRows(keys, audiences, maxBytes))
    return rows.map(withId)
  })

  async function folded(reader: Reader, id: string): Promise<ShownEntity | null> {
    const rows = (await entities.states(reader, [id])).get(id)
    return rows === undefined ? null : { view: await entities.fold(rows), retracted: isRetracted(rows) }
  }

  /** The first of these ids that is known to the reader, of a few; null: none is. */
  return async (reader: Reader, ids: readonly string[]): Promise<ShownEntity | null> => {
    const known = await rowsOf(reader.audiences, ids)
    const id = ids.find((one) => known.has(one))
    if (id === undefined) return null
    const [row, ...others] = latestRows(known.get(id)!)
    return others.length > 0 ? folded(reader, id) : { view: viewOf(row!), retracted: !isInViews(row!) }
  }
}

export type ShownEntities = ReturnType<typeof shownEntities>
