import type { HistoryRow } from '../../../../connectors/history/sql/queries/history.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { isKeptMatch, keptTerms, verdictOf } from '../../../../schemas/intelligence/observations/verdict.ts'
import type { Reporter } from '../../../../schemas/intelligence/reporters/reporter.ts'
import type { Reader } from '../readers.ts'
import type { MadeBy } from '../reporters.ts'

const iso = (ms: number): string => new Date(ms).toISOString()
/** What is known of the records of a page beside their rows. */
export type AboutRecords = {
  /** Ids of records that do not count any more. */
  retracted: ReadonlySet<string>
  reporterOf: (made: MadeBy) => Reporter
}

export const madeBy = ({ user_id, source }: Pick<HistoryRow, 'user_id' | 'source'>): MadeBy => [user_id, source]

/** The history record of specification 2.6 and decisions 5.6. `about`: left out where a record is shown for itself. */
export function historyRecord(
  row: Omit<HistoryRow, 'sorted'>,
  reader: Reader,
  about?: AboutRecords,
): Record<string, unknown> {
  const time = iso(Number(row.time))
  const terms = keptTerms(row.attributes)
  const match = isKeptMatch(row.attributes)
  return {
    id: row.id,
    entityID: entityId(row.type, row.value),
    type: row.type,
    userID: row.user_id,
    ...(about !== undefined && { reporter: about.reporterOf(madeBy(row)) }),
    attributes: { [row.type]: row.value, ...(terms === null && !match ? row.attributes : {}) },
    reputation: row.reputation,
    accuracy: row.accuracy,
    tags: row.tags,
    visibleBy: reader.visibleBy(BigInt(row.audience)),
    wellKnown: row.well_known === 1,
    '@timestamp': time,
    lastSeen: time,
    ...(about?.retracted.has(row.id) && { retracted: true }),
    ...(match && { match }),
    ...(terms !== null && { verdict: verdictIn(row.reputation, terms) }),
  }
}

/** Which verdict a record gives, or null: it takes the one before back. No verdict has the reputation 0. */
const verdictIn = (reputation: number, { reason, until }: NonNullable<ReturnType<typeof keptTerms>>) => ({
  verdict: reputation === 0 ? null : verdictOf(reputation),
  reason,
  ...(until > 0 && { until: iso(until) }),
})
