import type { HistoryRow } from '../../../../connectors/history/sql/queries/history.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import type { Reader } from '../readers.ts'

const NONE: ReadonlySet<string> = new Set()

/** The history record of specification 2.6 and decisions 5.6. `retracted`: ids of records that do not count any more. */
export function historyRecord(
  row: Omit<HistoryRow, 'sorted'>,
  reader: Reader,
  retracted: ReadonlySet<string> = NONE,
): Record<string, unknown> {
  const time = new Date(Number(row.time)).toISOString()
  return {
    id: row.id,
    entityID: entityId(row.type, row.value),
    type: row.type,
    userID: row.user_id,
    attributes: { [row.type]: row.value, ...row.attributes },
    reputation: row.reputation,
    accuracy: row.accuracy,
    tags: row.tags,
    visibleBy: reader.visibleBy(BigInt(row.audience)),
    wellKnown: row.well_known === 1,
    '@timestamp': time,
    lastSeen: time,
    ...(retracted.has(row.id) && { retracted: true }),
  }
}
