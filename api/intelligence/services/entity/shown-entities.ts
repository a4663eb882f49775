import type { LookupSource } from '../../../../connectors/lookups/port.ts'
import { builtIn, type Scoring } from '../../../../schemas/intelligence/scoring/rules.ts'
import { fold, isRetracted } from '../../../../schemas/intelligence/state/entity-view.ts'
import type { Reader } from '../readers.ts'
import type { RecordView } from './entity-record.ts'

/** @property retracted every report of it that the reader may read was taken back */
export type ShownEntity = { view: RecordView; retracted: boolean }

/** What a record shows of single entities. */
export function shownEntities(lookups: LookupSource, scoring: Scoring = builtIn) {
  /** The first of these ids that is known to the reader, of a few; null: none is. */
  return async (reader: Reader, ids: readonly string[]): Promise<ShownEntity | null> => {
    const known = await (await lookups.next()).entities(ids, reader.audiences)
    const rows = ids.map((id) => known.get(id)).find((of) => of !== undefined)
    if (rows === undefined) return null
    const view = rows.length === 1 ? rows[0]! : fold(rows, await scoring())
    return { view, retracted: isRetracted(rows) }
  }
}

export type ShownEntities = ReturnType<typeof shownEntities>
