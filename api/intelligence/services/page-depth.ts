/** Deepest record that a page may have: the sort of one page holds every record before it in memory. */
export const MAX_PAGE_DEPTH = 1_000_000

/** A page lies beyond the first `most` records. */
export class PageTooDeep extends Error {
  constructor(most = MAX_PAGE_DEPTH, what = 'records') {
    super(`only the first ${most} ${what} can be paged; narrow the query`)
  }
}
