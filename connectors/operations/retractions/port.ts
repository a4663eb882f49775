/** What a page of a retraction is asked for: what a feed reported in a window. Times are unix milliseconds. */
export type RetractionPage = {
  feed: string
  from: number
  to: number
  reason: string | null
  /** Counts what would be taken back, and changes nothing. */
  preview: boolean
  /** Where the page begins; null: at the start. */
  after: { entityId: string; audience: bigint } | null
}

/** Of entities as single audiences were told of them. */
export type RetractedPage = {
  found: number
  /** Taken back now; of a preview: what would be. */
  retracted: number
  /** Taken back before. */
  before: number
  /** Scores that changed. */
  changed: number
  /** Kept a tag or attribute, as they were reported again meanwhile. */
  left: number
  next: { entityId: string; audience: bigint } | null
}

/** Takes back what feeds have reported (ADR 126, ADR 212). */
export interface Retractions {
  /**
   * One page, and waits until it is applied. Again, it changes nothing. null: the feed has reported nothing, said of the first page.
   * @throws Error when the jobs do not apply it
   */
  page(asked: RetractionPage): Promise<RetractedPage | null>
}
