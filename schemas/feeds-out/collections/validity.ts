const MINUTE_MS = 60_000
/** The last looks before an end are so many parts of the whole apart. */
const PARTS = 32

/**
 * When it is looked at whether somebody spoke of a claim again: at half of what is left of its validity, at its end, and
 * then each minute as long as it is listed (decisions 15.2). Unix milliseconds.
 * @param validUntil when the claim ends; 0: never
 * @returns 0: never
 */
export function nextLook(modified: number, validUntil: number, now: number): number {
  if (validUntil === 0) return 0
  const left = validUntil - now
  if (left <= MINUTE_MS) return Math.max(validUntil, now + MINUTE_MS)
  const half = Math.ceil(left / 2)
  const step = Math.max(MINUTE_MS, (validUntil - modified) / PARTS)
  return half < step ? validUntil : now + half
}
