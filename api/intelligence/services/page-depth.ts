/** How far pages reach: beyond it the sort of one page would hold every record before it in memory. */
export const MAX_PAGE_DEPTH = 1_000_000

/** A page lies beyond the first `most` of what it pages. */
export class PageTooDeep extends Error {
  constructor(most = MAX_PAGE_DEPTH, what = 'records') {
    super(`only the first ${most} ${what} can be paged; narrow the query`)
  }
}
