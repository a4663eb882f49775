import type { AcceptedItem, FeedItem, RejectedItem } from '../../../connectors/feeds/parse/item.ts'
import { type ParseOptions, parseFeed } from '../../../connectors/feeds/read-feed.ts'
import { definitionOf } from '../../../schemas/intelligence/entities/catalogue.ts'

/** Bytes that arrive in pieces of `size`. */
export async function* pieces(bytes: Buffer | string, size = 7): AsyncGenerator<Buffer> {
  const whole = Buffer.from(bytes)
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size)
}

export const isAttribute = (name: string): boolean => definitionOf(name) !== undefined

export type SaidItem = AcceptedItem | RejectedItem

/** What a feed given as text says, without what it withdraws. */
export const collect = async (...given: Parameters<typeof collectAll>): Promise<SaidItem[]> =>
  (await collectAll(...given)).flatMap((item) => ('withdrawn' in item ? [] : [item]))

/** Every item of a feed given as text, with options that the case does not care about filled in. */
export async function collectAll(
  bytes: Buffer | string,
  options: Partial<ParseOptions> & Pick<ParseOptions, 'format'>,
): Promise<FeedItem[]> {
  const filled = { reputation: -3, tags: [], columns: 'indicator', header: false, trailingTags: false, isAttribute }
  const items: FeedItem[] = []
  for await (const group of parseFeed(pieces(bytes), { ...filled, ...options })) items.push(...group)
  return items
}

/** `type value` of accepted items, `line reason` of rejected ones. */
export const summary = (items: readonly SaidItem[]): string[] =>
  items.map((item) =>
    'rejected' in item
      ? `${item.line}: ${item.rejected}`
      : `${item.line}: ${item.entity.type} ${item.entity.attributes[item.entity.type]}`,
  )
