import { readerOf } from '../../../schemas/feeds-out/feed.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import { type CompiledSelector, compileSelector } from '../../../schemas/intelligence/selectors/compile.ts'
import { type SelectorIndex, selectorIndex } from '../../../schemas/intelligence/selectors/index/selector-index.ts'
import { type RecentSteps, recentSteps } from '../../processors/feeds-out/guard.ts'

/** A feed as the job knows it. */
export type KnownFeed = {
  /** As it was stored last. */
  head: FeedHead
  /** Of the selector in force. */
  selector: CompiledSelector
  recent: RecentSteps
  /** The epoch that is filled beside its list now; null: none is. */
  filling: number | null
  /** Its owner deleted it. One that is merely not known any more, as after a write that failed, is stored as it was. */
  deleted: boolean
}

/** Feeds of the same reader: what a change is to one of them, it is to all. */
export type ReaderFeeds = {
  reads(audience: readonly string[]): boolean
  index: SelectorIndex<KnownFeed>
  feeds: Set<KnownFeed>
}

/** All feeds, and by which reader and selector a change of an entity can concern one. */
export function knownFeeds() {
  const byId = new Map<string, KnownFeed>()
  const readers = new Map<string, ReaderFeeds>()
  const keyOf = ({ head }: KnownFeed): string => JSON.stringify(head.feed.groups)

  function file(known: KnownFeed): void {
    const key = keyOf(known)
    const { groups } = known.head.feed
    const those = readers.get(key) ?? { reads: readerOf(groups), index: selectorIndex<KnownFeed>(), feeds: new Set() }
    readers.set(key, those)
    those.feeds.add(known)
    those.index.add(known, known.selector)
  }

  function unfile(known: KnownFeed): void {
    const key = keyOf(known)
    const those = readers.get(key)
    those?.index.remove(known)
    those?.feeds.delete(known)
    if (those?.feeds.size === 0) readers.delete(key)
  }

  return {
    get: (id: string): KnownFeed | undefined => byId.get(id),
    all: (): IterableIterator<KnownFeed> => byId.values(),
    size: (): number => byId.size,
    readers: (): IterableIterator<ReaderFeeds> => readers.values(),

    /** A feed whose list was never made has no place among those that changes concern. */
    add(head: FeedHead, recent = recentSteps()): KnownFeed {
      const selector = compileSelector(head.feed.selector)
      const known: KnownFeed = { head, selector, recent, filling: null, deleted: false }
      byId.set(head.feed.id, known)
      if (head.epoch !== 0) file(known)
      return known
    },

    /** The list of a feed is another one from now on. */
    replace(known: KnownFeed, head: FeedHead): void {
      unfile(known)
      known.head = head
      known.selector = compileSelector(head.feed.selector)
      known.recent = recentSteps()
      file(known)
    },

    /** Nothing is known of any feed any more; what is stored of them stays. */
    clear(): void {
      byId.clear()
      readers.clear()
    },

    /** The feed was deleted. */
    remove(id: string): void {
      const known = byId.get(id)
      if (known === undefined) return
      known.deleted = true
      unfile(known)
      byId.delete(id)
    },
  }
}

export type KnownFeeds = ReturnType<typeof knownFeeds>
