import { type FeedFacts, type FeedFormat, type FeedItem, type FeedWriter, MAX_ITEMS } from './format.ts'

/** Bytes of a chunk: what a caller writes to a file or a socket at once. A chunk ends with the piece that fills it. */
const CHUNK_BYTES = 65_536

type Chunks = {
  /** Adds a piece; returns a chunk when there is enough for one. */
  add: (piece: string | Buffer) => Buffer | null
  /** What is left; null when that is nothing. */
  rest: () => Buffer | null
}

/** Collects pieces of text (UTF-8) and bytes into chunks. Holds one chunk. */
function chunks(): Chunks {
  let parts: Buffer[] = []
  let text = ''
  let bytes = 0
  const flushText = (): void => {
    if (text === '') return
    const part = Buffer.from(text)
    parts.push(part)
    bytes += part.length
    text = ''
  }
  const rest = (): Buffer | null => {
    flushText()
    if (bytes === 0) return null
    const chunk = parts.length === 1 ? parts[0]! : Buffer.concat(parts, bytes)
    parts = []
    bytes = 0
    return chunk
  }
  return {
    add: (piece) => {
      if (typeof piece === 'string') text += piece
      else {
        flushText()
        parts.push(piece)
        bytes += piece.length
      }
      // A unit of UTF-16 is at least one byte, so this is never late by more than a factor of three.
      return bytes + text.length >= CHUNK_BYTES ? rest() : null
    },
    rest,
  }
}

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
