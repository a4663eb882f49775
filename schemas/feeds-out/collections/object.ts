/** What a TAXII collection of a feed has (decisions 15.2). `added` and versions are unix microseconds, other times milliseconds. */

/** One version of an object of STIX as the collection serves it; `text` is its JSON. */
export type CollectionObject = { added: number; type: string; id: string; version: number; text: string }

/**
 * The last version of an object of an entity. `inForce`: a claim that was not revoked, such as an indicator, its sighting
 * and relationships.
 */
export type PlacedObject = { id: string; type: string; added: number; inForce: boolean; digest: bigint }

/** What a collection knows of an entity. */
export type EntityInCollection = {
  entityId: string
  /** How often it had left the feed before it came; 0 first. */
  life: number
  /** Whether the list has it. */
  live: boolean
  /** Digest of what is shown of it. */
  shown: bigint
  /** When it was first seen, as its claims say in this life. */
  firstSeen: number
  /** Of its last version. */
  modified: number
  /** When its claim ends if nobody speaks of it again, and when that is looked at; 0: never. */
  validUntil: number
  lookAt: number
  objects: readonly PlacedObject[]
}

/** How far a collection is: its last date added, and up to which delta it was brought; null: its first list is not all there. */
export type CollectionPlace = { added: number; sequence: number | null }
