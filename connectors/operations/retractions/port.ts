/** What a page of a retraction is asked for: what a feed reported in a window. Times are unix milliseconds. */
export type RetractionPage = {
  feed: string
  from: number
  to: number
  reason: string | null
  /** Counts what would be taken back, and changes nothing. */
  preview: boolean
  /** null: at the start. */
  after: RetractPlace | null
}

/** Where a page begins: behind this entity and audience. */
export type RetractPlace = { entityId: string; audience: bigint }

/** Of entities as single audiences were told of them. */
export type RetractResult = {
  /** Reported in the window. */
  found: number
  /** Taken back now; of a preview: what would be. */
  retracted: number
  /** Sent, and refused by the jobs: their records are among the dead letters, and nothing changed. */
  refused: number
  /** Taken back before. */
  before: number
  /** Scores that changed. */
  changed: number
  /** Kept a tag or attribute, as they were reported again meanwhile. */
  left: number
}

/** `next`: where the next page begins; null: there is none. */
export type RetractedPage = RetractResult & { next: RetractPlace | null }

/** Records of a retraction are in the log, and the jobs did not apply all of them in time. */
export class RetractionPending extends Error {
  override readonly name = 'RetractionPending'
  /** Records of the log that are not applied, whatever they are. */
  readonly waiting: number
  constructor(waiting: number) {
    super(
      `the retractions are in the log, but ${waiting} of its records are not applied yet; ` +
        'check that the jobs run, then send the same request again: it skips what was applied by then',
    )
    this.waiting = waiting
  }
}

/** Takes back what feeds have reported (ADR 270). */
export interface Retractions {
  /**
   * One page, and waits until it is applied. Again, it changes nothing. null: the feed has reported nothing, said of the first page.
   * @throws RetractionPending when the jobs do not apply it in time
   */
  page(asked: RetractionPage): Promise<RetractedPage | null>
}
