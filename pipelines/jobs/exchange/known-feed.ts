import { readerOf } from '../../../schemas/feeds-out/feed.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import { isPublicAlone } from '../../../schemas/feeds-out/rights.ts'
import { type CompiledSelector, compileSelector } from '../../../schemas/intelligence/selectors/compile.ts'

/** What of a feed its collection follows from. */
export type KnownFeed = {
  id: string
  revision: number
  facts: { id: string; isPublic: boolean }
  selector: CompiledSelector
  reads(audience: readonly string[]): boolean
  /** Unix milliseconds up to which claims were looked at. */
  lookedAt: number
}

/** As its head says it. What everybody reads is for everybody, whether or not the feed is open. */
export const knownFeed = ({ feed }: FeedHead): KnownFeed => ({
  id: feed.id,
  revision: feed.revision,
  facts: { id: feed.id, isPublic: isPublicAlone(feed.groups) },
  selector: compileSelector(feed.selector),
  reads: readerOf(feed.groups),
  lookedAt: 0,
})
