/** The list of one feed on the disk of an edge (decisions 19.1). */

import type { Prefix } from '../../edge/answers/port.ts'
import type { FeedItem } from '../../schemas/feeds-out/formats/format.ts'
import type { TypedValue } from '../../schemas/intelligence/propagation/coverage.ts'

/** What an edge keeps of an item. */
export type EdgeItem = Pick<FeedItem, 'type' | 'value' | 'reputation' | 'accuracy' | 'tags'>

/** The same with the id of its entity. */
export type ListedItem = EdgeItem & { id: string }

/** What happens to an item: it is as it stands here from now on, or gone. */
export type EdgeChange = { item: EdgeItem; gone: boolean }

/** Where a list stands: it is the one that the feed had at this cursor. */
export type ListState = { feed: string; cursor: string; sequence: number; items: number; complete: boolean }

export type EdgeList = {
  state(): ListState
  /** Items of exactly this value in normal form, of any type. */
  items(value: string): readonly ListedItem[]
  /** Values of the networks around an address or a network, the narrowest first; its own value is not among them. */
  around(inner: TypedValue): string[]
  /** Whether something with a negative reputation is listed below this name; '': anywhere. */
  isAboveListed(name: string): boolean
  /** Whether an address or a network with a negative reputation lies inside this network, or around it. */
  holdsListed(prefix: Prefix): boolean
  /** All items, in no order that means anything. */
  all(): Iterable<EdgeItem>
  /**
   * Puts changes in, in their order, and sets the state with them: all of it or, when the disk is full, nothing.
   * @param at the state after them; `items` follows from the changes
   */
  apply(changes: readonly EdgeChange[], at: Omit<ListState, 'items'>): Promise<void>
  close(): Promise<void>
}

/** A list that is made: nothing of it is flushed before it is finished. */
export type NewList = Pick<EdgeList, 'apply' | 'state' | 'close'> & {
  /** It is whole, and stands here: flushes it and puts it in the place of the other one. Returns it, open. */
  finish(at: Omit<ListState, 'items'>): Promise<EdgeList>
}

/** The lists of a folder: the one that answers, and one that is made beside it. */
export type EdgeLists = {
  /** The whole list that was made last; null: there is none that can be read. */
  open(): EdgeList | null
  /** An empty one beside it. */
  begin(feed: string): NewList
  /** Removes what nobody reads any more. */
  removeOthers(): void
}
