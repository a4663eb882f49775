/** What reporters wrote, made harmless for a reader that follows instructions (decisions 16.4). Pure. */

import { defanged, visible } from '../casework/deliveries/defang.ts'

/** Longest text that an answer quotes, in UTF-16 units; a longer one ends in an ellipsis. */
const MAX_TEXT = 1_024
const MAX_TAG = 128
/** Tags of one entity of a list. */
const MAX_TAGS = 20

/** A text of others, in one line, without anything that cannot be seen and without a link. */
export const quoted = (text: string): string => defanged(text, MAX_TEXT)

/** The first tags of an entity of a list, and how many others there are. */
export const quotedTags = (tags: readonly string[]): { tags: string[]; moreTags?: number } => ({
  tags: tags.slice(0, MAX_TAGS).map(quotedTag),
  ...(tags.length > MAX_TAGS && { moreTags: tags.length - MAX_TAGS }),
})

export const quotedTag = (tag: string): string => defanged(tag, MAX_TAG)

/** The same JSON, in which no string has a character that cannot be seen. Its names are ours. */
export function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return visible(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleaned(member)]))
}
