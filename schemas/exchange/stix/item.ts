/** What the writer of STIX takes and gives (decisions 15.2, 15.3). Plain types: who knows more of an item gives more. */

/** Where objects are said. */
export type StixFacts = {
  /** UUID that ids of claims follow from: that of the feed, so that readers of two feeds share none. */
  id: string
  /** Whether everybody may read what is said: TLP:CLEAR, else TLP:AMBER. */
  isPublic: boolean
}

/** An entity, as far as the ids of its objects follow from it. */
export type StixEntity = {
  entityId: string
  type: string
  value: string
  /** Of the reader's view. A file has its digests here. */
  attributes?: Readonly<Record<string, string>>
}

/** An entity as one reader sees it. Times are unix milliseconds. */
export type StixItem = StixEntity & {
  reputation: number
  accuracy: number
  tags: readonly string[]
  firstSeen: number
  lastSeen: number
  /** How often it was reported, of what the reader may see; left out where nobody counted. */
  count?: number
  relations?: readonly StixRelation[]
}

/**
 * A relation of an item. `relationship`: a relationship type of STIX, null where none was stated. The objects of `other`
 * are its own: whoever writes a document says it as an item too.
 */
export type StixRelation = {
  other: StixEntity
  relationship: string | null
  /** Whether the other entity stated it: it is the source then. */
  isIncoming?: boolean
  /** Life of the other entity in this feed; 0 where it is left out. */
  otherLife?: number
}

/** Which version of the objects of an item is said. */
export type StixVersion = {
  /** Unix milliseconds. */
  modified: number
  /** How often the entity had left the feed before: 0 first. Its claims have new ids in each life. */
  life: number
  /** Unix milliseconds at which the claim ends if nobody renews it; null: not known. */
  validUntil: number | null
  revoked: boolean
}

/** One object of a bundle. Observables have no versions: they are the same in each. */
export type StixObject = { id: string; type: string; json: string }
