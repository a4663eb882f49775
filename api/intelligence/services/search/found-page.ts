import type { History, Query } from '../../../../connectors/history/port.ts'

/** A page that was found by an index, and how many results there are in all. */
export type FoundPage<Row> = { rows: Row[]; shown: number }

/**
 * Counts, then reads the page that an index finds. The index and the records are read one after the other while reports
 * come in: null where they disagree, and then the records decide alone.
 */
export async function foundPage<Row>(
  history: Pick<History, 'query'>,
  page: Query,
  { limit, offset }: { limit: number; offset: number },
  count: () => Promise<number>,
): Promise<FoundPage<Row> | null> {
  const shown = await count()
  const due = Math.max(0, Math.min(limit, shown - offset))
  const rows = due === 0 ? [] : await history.query<Row>(page)
  return rows.length === due ? { rows, shown } : null
}
