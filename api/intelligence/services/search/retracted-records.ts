import type { History } from '../../../../connectors/history/port.ts'
import type { HistoryRow } from '../../../../connectors/history/sql/queries/history-queries.ts'
import {
  type RecordOriginRow,
  type RetractedWindowRow,
  recordOrigins,
  retractedWindows,
} from '../../../../connectors/history/sql/queries/retracted-records.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { isKeptMatch } from '../../../../schemas/intelligence/observations/verdict.ts'
import type { Reader } from '../readers.ts'
import { byEntity, type HistoryMemory } from './history-memory.ts'

type FoundRow = Pick<HistoryRow, 'id' | 'type' | 'value' | 'audience' | 'time' | 'attributes'>

const NONE: ReadonlySet<string> = new Set()

/** The ids of the records of a page that were retracted, which history keeps and marks (decisions 17.3). */
export async function retractedRecords(
  history: Pick<History, 'query'>,
  memory: HistoryMemory,
  rows: readonly FoundRow[],
  { audiences }: Reader,
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return NONE
  const entityOf = new Map(rows.map((row) => [row, entityId(row.type, row.value)]))
  const windows =
    (await memory.retractions()) ??
    byEntity(await history.query<RetractedWindowRow>(retractedWindows([...new Set(entityOf.values())], audiences)))
  if (windows.size === 0) return NONE
  const windowsOf = (row: FoundRow): readonly RetractedWindowRow[] =>
    (windows.get(`${entityOf.get(row)} ${row.audience}`) ?? []).filter(
      ({ first, last }) => Number(first) <= Number(row.time) && Number(row.time) <= Number(last),
    )
  // A match is no report of its source.
  const inWindow = rows.filter((row) => !isKeptMatch(row.attributes) && windowsOf(row).length > 0)
  if (inWindow.length === 0) return NONE
  const origins = await history.query<RecordOriginRow>(recordOrigins(inWindow, audiences))
  const originOf = new Map(origins.map((origin) => [origin.id, origin]))
  const isRetracted = (row: FoundRow): boolean => {
    const origin = originOf.get(row.id)
    if (origin === undefined) return false
    const { source, offset } = origin
    return windowsOf(row).some((window) => window.source === source && Number(offset) < Number(window.offset))
  }
  return new Set(inWindow.filter(isRetracted).map(({ id }) => id))
}
