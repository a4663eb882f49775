/** What the formats of feeds that leave the platform have in common (decisions 11.2, 11.6). */

/** What a feed shows of an entity. Times are unix milliseconds. */
export type FeedItem = {
  entityId: string
  type: string
  value: string
  reputation: number
  accuracy: number
  tags: readonly string[]
  firstSeen: number
  lastSeen: number
}

/** What a document says of the feed that it was made of. */
export type FeedFacts = {
  /** A UUID. Names of sets, zones and objects follow from it. */
  id: string
  name: string
  sequence: number
  /** Unix milliseconds of the generation. No format says it: equal lists have equal bytes. */
  updatedAt: number
  /** Whether everybody may read what the list has (`isPublicAlone`). Chooses the marking (TLP) of exchange formats. */
  isPublic: boolean
  /**
   * Whether the selector lets in marked and covered entities, which the items do not tell from others. Formats that block
   * leave out all that may be one; so they do where this is not said.
   */
  mayHoldWellKnown?: boolean
}

/** One list on its way into one format. Bytes follow from the facts and the items in their order alone. */
export type FeedWriter = {
  /**
   * Takes the next item. Returns bytes once some 64 KiB of them are ready, to be stored before the next item is given.
   * @throws RangeError after 10,000,000 items
   */
  add: (item: FeedItem) => Buffer | null
  /** The rest of the bytes, one piece of some 64 KiB at a time. To be read once, to its end. */
  end: () => Iterable<Buffer>
  /** Items that the format does not carry, known once `end` was read: of other types, or not said safely. */
  skipped: () => number
}

export type FeedFormat = {
  /** As in `items.{name}`. */
  name: string
  mediaType: string
  /** Of a file, without a dot. */
  extension: string
  /**
   * Programs of others that read it in each build, and whose reading a test of `tests/contract/feeds` compares with the
   * items. Null: only readers of ours read it, so the format is unverified.
   */
  readBy: string | null
  /** Types of entity that the format can say. */
  types: readonly string[] | 'any'
  /** Whether it says more of an item than a list has: how often it was reported, and how it is related to others. */
  saysMore?: true
  /** Null: the history store writes the format itself. */
  write: ((facts: FeedFacts) => FeedWriter) | null
}

/** Of a longer list a format that says more is told no more than the others: the store has no room for it (ADR 274). */
export const MOST_TOLD = 1_000_000

/** Largest `cap` of a feed (decisions 11.2). */
export const MAX_ITEMS = 10_000_000
