import type { FeedFacts, FeedFormat, FeedItem } from './format.ts'

/** Lists of items in the order of the feed, as the store gives them. */
export type Batches = AsyncIterable<readonly FeedItem[]> | Iterable<readonly FeedItem[]>

/**
 * The bytes of a list in a format, in chunks of some 64 KiB; returns how many items were left out at the end. The next
 * batch is read when the chunks of the last one were taken, so a slow reader slows the store down.
 * @throws TypeError for a format that the store writes; RangeError for a list of more than 10,000,000 items
 */
export async function* written(
  format: FeedFormat,
  facts: FeedFacts,
  batches: Batches,
): AsyncGenerator<Buffer, { skipped: number }> {
  if (format.write === null) throw new TypeError(`${format.name} is written by the history store`)
  const { add, end, skipped } = format.write(facts)
  for await (const batch of batches)
    for (const item of batch) {
      const chunk = add(item)
      if (chunk !== null) yield chunk
    }
  yield* end()
  return { skipped: skipped() }
}
