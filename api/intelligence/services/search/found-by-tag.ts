import type { History } from '../../../../connectors/history/port.ts'
import {
  type FoldedRow,
  foldedByTag,
  foldedPage,
  type MatchesRow,
  matchesByTag,
  type PageByTag,
  pageByTag,
} from '../../../../connectors/history/sql/queries/tagged-search.ts'
import type { FoundPage } from './record-search.ts'

/** Matches that one statement keeps in memory. */
const FEW = 200_000

type Store = Pick<History, 'query'>

/**
 * A page of entities that their rows by tag find (ADR 194). They and the entities are read side by side while reports come
 * in: null where they disagree, and then the entities decide alone.
 */
export async function foundByTag<Row extends { id: string }>(
  history: Store,
  page: PageByTag,
  few = FEW,
): Promise<FoundPage<Row> | null> {
  // Nearly no match stands in several audiences of the reader, so both begin as if none did.
  const [[counted], current] = await Promise.all([
    history.query<MatchesRow>(matchesByTag(page)),
    history.query<Row>(pageByTag(page)),
  ])
  const { rows, shown } =
    Number(counted!.several) === 0
      ? { rows: current, shown: Number(counted!.matches) }
      : await folded<Row>(history, page, few)
  const due = Math.max(0, Math.min(page.at.limit, shown - page.at.offset))
  return rows.length === due && new Set(rows.map(({ id }) => id)).size === due ? { rows, shown } : null
}

async function folded<Row>(history: Store, page: PageByTag, few: number): Promise<FoundPage<Row>> {
  const first = (await history.query<FoldedRow>(foldedByTag(page, few)))[0]!
  const all = Number(first.matches) > few ? (await history.query<FoldedRow>(foldedByTag(page, null)))[0]! : first
  const shown = Number(all.matches)
  return { rows: page.at.offset >= shown ? [] : await history.query<Row>(foldedPage(page, all)), shown }
}
