import type { History } from '../../../../connectors/history/port.ts'
import {
  type FirstRow,
  firstByTag,
  type HowFound,
  type PageByTag,
  pageByTag,
} from '../../../../connectors/history/sql/queries/tagged-search.ts'
import type { FoundPage } from './record-search.ts'

/** Matches that one statement keeps in memory. */
const FEW = 200_000

/**
 * A page of entities that their rows by tag find (ADR 194). They and the entities are read one after the other while
 * reports come in: null where they disagree, and then the entities decide alone.
 */
export async function foundByTag<Row extends { id: string }>(
  history: Pick<History, 'query'>,
  page: PageByTag,
  few = FEW,
): Promise<FoundPage<Row> | null> {
  const { first, how } = await firstOf(history, page, { few, folded: false })
  const shown = Number(first.matches)
  const due = Math.max(0, Math.min(page.at.limit, shown - page.at.offset))
  const rows = due === 0 ? [] : await history.query<Row>(pageByTag(page, first, how))
  return rows.length === due && new Set(rows.map(({ id }) => id)).size === due ? { rows, shown } : null
}

/** Begins with what nearly every search is: of few matches, none of which stands in several audiences of the reader. */
async function firstOf(
  history: Pick<History, 'query'>,
  page: PageByTag,
  how: HowFound,
): Promise<{ first: FirstRow; how: HowFound }> {
  const first = (await history.query<FirstRow>(firstByTag(page, how)))[0]!
  const few = how.few !== null && Number(first.matches) <= how.few ? how.few : null
  const right = { few, folded: how.folded || Number(first.several) > 0 }
  return right.few === how.few && right.folded === how.folded ? { first, how } : firstOf(history, page, right)
}
