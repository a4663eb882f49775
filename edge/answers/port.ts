/** What the listeners of an edge ask: one answer for all protocols (decisions 19.3). */

/** A value that is in the list, or below something that is. */
export type Listed = {
  /** As it was asked. */
  value: string
  listed: true
  /** `id` and `type` only where the value itself is an item. */
  id?: string
  type?: string
  /** -3 to 3; 0 only of an item that nothing decides for. */
  reputation: number
  accuracy: number
  tags: readonly string[]
  /** The item above it that decides. */
  by?: { id: string; type: string; value: string }
}

export type Unlisted = { value: string; listed: false }

/** A verdict as the protocols write it: JSON, and its length in bytes of UTF-8. */
export type Json = { text: string; bytes: number }

/** Longest key in bytes: a longer one is an error of the protocol, and never a miss. */
export const MAX_KEY_BYTES = 2_048

export type Answers = {
  /** Whether nothing may be said of any value: before the first list, and after `--max-age`. To be asked before each answer. */
  isStale(): boolean
  /** What is known of a key: a value in any spelling, or `<type>:` with a value that this type can have. */
  answer(key: string): Listed | Unlisted
  /** The same as the protocols of caches write it; null: not listed. */
  json(key: string): Json | null
  /** Items of the list. */
  size(): number
  /** Sequence of the feed at which the list stands; 0 before the first list. */
  sequence(): number
  /** Seconds since the platform last answered, kept over restarts; null: it never did. */
  ageSeconds(): number | null
}

/** A network as DNS asks for it: the first `bits` of an address of 4 or 16 bytes. */
export type Prefix = { bytes: Uint8Array; bits: number }

/** What stands below names and inside networks: a zone has no data there, and still exists (RFC 8020). */
export type Places = {
  /** Whether something with a negative reputation is listed below this name, which has no dot at its end; '': anywhere. */
  isAboveListed(name: string): boolean
  /** Whether an address or a network with a negative reputation lies inside this network, or around it. */
  holdsListed(prefix: Prefix): boolean
}
