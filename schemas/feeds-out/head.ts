import type { Feed } from './feed.ts'

/** What the job knows of a feed and its list after a step: stored with the members that the step moved. */
export type FeedHead = {
  /** As its list is. */
  feed: Feed
  /** As its owner wants it, while the list of that is being made; null: as it is. */
  wanted: Feed | null
  /** The generation of the tables whose entities the list was made of. */
  generation: string
  /** Which members are its list; 0: there are none yet. */
  epoch: number
  /** Of its last delta, and of the last one that is known to be on the log. */
  sequence: number
  published: number
  items: number
  /** Entities that it selects, those too that the cap leaves out, and those that wait while it is held. */
  inside: number
  /**
   * Members that went since the epoch in which steps are stored was begun: at most so many of its rows were made by
   * departures. Missing: stored by a version that did not count.
   */
  gone?: number
  /** A list that stays as it is: by whom, since when (unix milliseconds), and the epoch of what waits. */
  held: { by: HeldBy; at: number; epoch: number } | null
  /** By partition of the observations, the offset below which every change was looked at. */
  applied: Record<number, number>
  /** When its list last changed, unix milliseconds. */
  at: number
  /** Of the write that last made the list as a whole: the guard compares with no step before it. */
  made?: number
  /** Of the write that stored this; later ones are higher. */
  version: number
}

export const HOLDERS = ['guard', 'owner'] as const
export type HeldBy = (typeof HOLDERS)[number]

export type FeedState = 'building' | 'live' | 'held'

/** What its owner is told of it (decisions 11.1). */
export const stateOf = ({ epoch, held }: Pick<FeedHead, 'epoch' | 'held'>): FeedState =>
  epoch === 0 ? 'building' : held === null ? 'live' : 'held'
