/** The TAXII collections of feeds, as the history store keeps them (ADR 274). Dates added and versions are unix microseconds. */

import type { CollectionFilter } from '../../../../schemas/feeds-out/collections/filter.ts'
import type {
  CollectionObject,
  CollectionPlace,
  EntityInCollection,
  PlacedObject,
} from '../../../../schemas/feeds-out/collections/object.ts'
import type { CollectionWrite } from '../../../../schemas/feeds-out/collections/write.ts'
import type { FeedDelta } from '../../../../schemas/feeds-out/delta.ts'
import type { FeedItem } from '../../../../schemas/feeds-out/formats/format.ts'
import type { FeedHead } from '../../../../schemas/feeds-out/head.ts'
import type { FeedMember } from '../../../../schemas/feeds-out/member.ts'

/** Where the list of a feed is. `epoch` 0: it was never made. */
export type ListReached = { feed: string; revision: number; epoch: number; sequence: number }

/** What the job that keeps the collections reads and writes. */
export interface CollectionStore {
  /** Where the lists of all feeds are. */
  lists(): Promise<ListReached[]>
  /** How far each collection is. */
  places(): Promise<Map<string, CollectionPlace>>
  /**
   * Takes the collections over from whoever wrote them before: of what others have under way, nothing is stored from now
   * on, however late it comes.
   * @returns the version that the first write follows: `least`, or higher where that is needed to be above all before it
   * @throws Error when others take them over all the time
   */
  claim(least: number): Promise<number>
  /**
   * Stores rows of collections as one block, all of them or none. One write alone can follow another.
   * @param after the own write or claim that this follows
   * @returns false: another one followed it, and nothing was stored. After that, or an error, claim first
   */
  write(writes: readonly CollectionWrite[], version: number, after: number): Promise<boolean>
  /** What the collection knows of these entities, by id. */
  entities(feed: string, entityIds: readonly string[]): Promise<Map<string, EntityInCollection>>
  /** The last versions of these objects, by id. */
  objects(feed: string, ids: readonly string[]): Promise<Map<string, Pick<PlacedObject, 'added' | 'digest'>>>
  /** The objects at these places, by id. */
  texts(feed: string, places: readonly number[]): Promise<Map<string, string>>
  /** Entities with a claim that is to be looked at, since the last look at all of them until now (unix milliseconds). */
  due(feed: string, since: number, until: number, limit: number): Promise<string[]>
  /** Feeds that may have such entities: all that have, and perhaps others. */
  feedsDue(since: number, until: number): Promise<Set<string>>
  /** Entities that the collection has and the list of this epoch has not. */
  left(feed: string, epoch: number, limit: number): Promise<string[]>
  /** Removes the collection of a feed that is gone. */
  remove(feed: string): Promise<void>
}

/** What collections are made of: the lists of feeds, as they are stored. */
export interface CollectionSource {
  head(feed: string): Promise<FeedHead | null>
  /** The list of one moment, read once; null: there is none yet. */
  list(feed: string): Promise<{ epoch: number; sequence: number; items: AsyncIterable<readonly FeedItem[]> } | null>
  /** Deltas after a sequence, in order; the first of them may not be kept any more. */
  deltas(feed: string, after: number, to: number, limit: number): Promise<FeedDelta[]>
  /** Of an epoch of a feed, by entity id; those that are gone too. */
  members(feed: string, epoch: number, entityIds: readonly string[]): Promise<Map<string, FeedMember>>
}

export type ObjectQuestion = {
  feed: string
  /** Those added after it; 0: from the beginning. */
  after: number
  limit: number
  filter: CollectionFilter
  /** Whether their texts are wanted: a manifest has ids alone. */
  texts: boolean
}

/** An object as it is read. `said`: the bytes of its JSON, or of its id where texts are not wanted. */
export type ReadObject = Pick<CollectionObject, 'added' | 'version'> & { said: Buffer }

/**
 * `next`: the date added after which to go on; null: there is no more now. A page may be short and not the last one.
 * Whoever reads it disposes of it: then the bytes of its objects are gone.
 */
export type ObjectPage = Disposable & { objects: ReadObject[]; next: number | null }

/** What readers of collections are given (decisions 15.2). */
export interface Collections {
  /** Objects in the order in which they were added. What comes later has a later date, always. */
  page(question: ObjectQuestion): Promise<ObjectPage>
}
