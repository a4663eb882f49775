import { chunks } from './chunks.ts'
import { type FeedFacts, type FeedFormat, type FeedItem, type FeedWriter, MAX_ITEMS } from './format.ts'

type Write = NonNullable<FeedFormat['write']>

/** A format that says its items one by one and holds none of them. */
export type Streamed = {
  begin?: string
  /** An item as the format says it; null: it cannot. */
  say: (item: FeedItem) => string | null
  end?: () => string
}

/** A format that has to know all items first. */
export type Held = {
  /** Keeps an item; false: the format cannot say it. */
  take: (item: FeedItem) => boolean
  /** The document, in pieces. */
  pieces: () => Iterable<string | Buffer>
  /** Items that were taken, and that the document had no room for. Asked after `pieces`. */
  leftOut?: () => number
}

/** A writer of a format that streams. Items of other types than `types` are skipped. */
export const streamed =
  (types: FeedFormat['types'], open: (facts: FeedFacts) => Streamed): Write =>
  (facts) => {
    const { begin = '', say, end = () => '' } = open(facts)
    const out = chunks()
    out.add(begin)
    const taken = counted(types)
    return {
      add: (item) => {
        const said = taken.takes(item) ? say(item) : null
        if (said !== null) return out.add(said)
        taken.skip()
        return null
      },
      *end() {
        const last = out.add(end())
        if (last !== null) yield last
        const rest = out.rest()
        if (rest !== null) yield rest
      },
      skipped: taken.skipped,
    }
  }

/** A writer of a format that holds its items until the end. Items of other types than `types` are skipped. */
export const held =
  (types: FeedFormat['types'], open: (facts: FeedFacts) => Held): Write =>
  (facts) => {
    const { take, pieces, leftOut = () => 0 } = open(facts)
    const taken = counted(types)
    return {
      add: (item) => {
        if (!taken.takes(item) || !take(item)) taken.skip()
        return null
      },
      *end() {
        const out = chunks()
        for (const piece of pieces()) {
          const chunk = out.add(piece)
          if (chunk !== null) yield chunk
        }
        const rest = out.rest()
        if (rest !== null) yield rest
      },
      skipped: () => taken.skipped() + leftOut(),
    }
  }

type Counted = { takes: (item: FeedItem) => boolean; skip: () => void; skipped: FeedWriter['skipped'] }

/** Counts items: all of them against the bound, and those that are skipped. */
function counted(types: FeedFormat['types']): Counted {
  const known = types === 'any' ? null : new Set(types)
  let items = 0
  let skipped = 0
  return {
    takes: ({ type, value }) => {
      items++
      if (items > MAX_ITEMS) throw new RangeError(`a feed has at most ${MAX_ITEMS} items`)
      // Half of a character has no bytes in UTF-8: what is written would be another value.
      return (known?.has(type) ?? true) && value.isWellFormed()
    },
    skip: () => {
      skipped++
    },
    skipped: () => skipped,
  }
}
