import type { CollectionObject, EntityInCollection, PlacedObject } from './object.ts'

/** A row of a collection as it is stored. */
export type CollectionRow = {
  added: number
  /** null: it only says what is known of the entity. */
  object: (Omit<CollectionObject, 'added'> & Pick<PlacedObject, 'inForce' | 'digest'> & { isFirst: boolean }) | null
  /** The place of the version before; 0: there was none. */
  supersedes: number
  /** As the entity is after it; null: the object is of no entity. */
  entity: Omit<EntityInCollection, 'objects'> | null
}

/** What is stored of one collection at once, in the order of `added`. */
export type CollectionWrite = {
  feed: string
  rows: readonly CollectionRow[]
  /** Up to which delta the collection is brought with these rows; null: not known. */
  sequence: number | null
  /** Of its last row. */
  added: number
}
