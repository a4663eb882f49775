import { detect } from '../../../schemas/intelligence/ingest/detect.ts'
import { refang } from '../../../schemas/intelligence/ingest/refang.ts'
import type { SubmittedEntity } from '../../../schemas/intelligence/observations/observation.ts'
import type { Marking } from './marking.ts'

/** What one place of a feed says, or why it cannot be used (ADR 273). */
export type FeedItem = AcceptedItem | RejectedItem | WithdrawnItem

/**
 * A producer's own name of what it states, and which version of it this is: text that sorts by time, `''` where there are no
 * versions. A later version replaces what an earlier one claimed.
 */
export type ObjectVersion = { id: string; version: string }

export type AcceptedItem = {
  /** From 1. Of a JSON document, which has no lines to speak of: the ordinal number of the attribute or object. */
  line: number
  entity: SubmittedEntity
  /** The feed vouches for it: a well-known entity, which carries no reputation (specification 4.3). */
  wellKnown?: boolean
  /** The readers, as far as the producer restricts them; absent: everyone. */
  marking?: Marking
  /** The producer's confidence, 0..100; absent: that of the whole feed. */
  confidence?: number
  /** Unix milliseconds between which the producer's claim holds; absent: without such a bound. */
  validFrom?: number
  validUntil?: number
  /** Unix milliseconds at which the producer saw it last; absent: when it is imported. */
  seenAt?: number
  /** The object of the producer that states it; absent: it cannot be taken back by name. */
  object?: ObjectVersion
}

/** The producer takes back what an object of its stated. */
export type WithdrawnItem = { line: number; withdrawn: ObjectVersion }

/**
 * `object`: its newest version is this, so nothing that an earlier one claimed holds. `part`: what is left out of an item of
 * this type, the rest of which is imported.
 */
export type RejectedItem = {
  line: number
  rejected: string
  raw: string
  object?: ObjectVersion
  part?: { type: string; property: string }
}

/** What every format needs to know about its feed. */
export type FeedOptions = {
  /** Catalogue type of every bare indicator; default: detected one by one. */
  type?: string
  /** Claimed of what the feed calls malicious, -3..3; null makes it a sighting. */
  reputation: number | null
  /** Added to the tags of every entity. */
  tags: readonly string[]
}

/** Longest excerpt of a rejected place, in characters. */
const RAW_LENGTH = 512

export const rejected = (line: number, reason: string, raw: string): RejectedItem => ({
  line,
  rejected: reason,
  raw: raw.length > RAW_LENGTH ? `${raw.slice(0, RAW_LENGTH)}…` : raw,
})

const NO_TAGS: string[] = []

/** What a place says of its indicator besides. */
export type IndicatorExtra = {
  attributes?: Record<string, string> | undefined
  tags?: string[]
  reputation?: number | null | undefined
}

/** An entity of one bare indicator, its kind given by the feed's options or detected; a reason when it is of none. */
export function indicator(
  line: number,
  raw: string,
  options: FeedOptions,
  extra: IndicatorExtra = {},
): AcceptedItem | RejectedItem {
  const reputation = extra.reputation === undefined ? options.reputation : extra.reputation
  const tags = joinWords(extra.tags ?? NO_TAGS, options.tags)
  if (options.type !== undefined) {
    const attributes = { ...extra.attributes, [options.type]: refang(raw) }
    return { line, entity: { type: options.type, attributes, reputation, tags } }
  }
  const found = detect(raw)
  if (found === null) return rejected(line, 'not an indicator of a known kind', raw)
  const attributes = { ...extra.attributes, ...found.attributes, [found.type]: found.value }
  return { line, entity: { type: found.type, attributes, reputation, tags } }
}

/** The tags of a place and of its feed, without an array when both are empty. */
const joinWords = (own: string[], feed: readonly string[]): string[] =>
  feed.length === 0 ? own : own.length === 0 ? [...feed] : [...own, ...feed]
