/** What a comment may be; browsers know it too. */

/** Longest comment, in characters. */
export const MAX_COMMENT = 10_000

/** Everything but line ends and tabs. */
const CONTROLS = /(?![\n\t])\p{Cc}/gu

/** A comment as it is kept: without control characters and blank ends; null when nothing or too much is left. */
export function commentText(raw: string): string | null {
  const text = raw.replace(CONTROLS, '').trim()
  // A character is one or two code units.
  if (text === '' || text.length > 2 * MAX_COMMENT) return null
  return text.length > MAX_COMMENT && [...text].length > MAX_COMMENT ? null : text
}
