import { type Refusal, refuse } from '../refusal.ts'

/** Longest value of any datatype, in UTF-8 bytes (decisions 3.2). */
export const MAX_VALUE_BYTES = 65_536

const TOO_LONG = refuse(`must be at most ${MAX_VALUE_BYTES} bytes`)
const MALFORMED = refuse('must be well-formed Unicode; it contains an unpaired surrogate')

const CONTROL = /\p{Cc}/u

/** null when the value is within the bounds that every datatype shares. */
export function outOfBounds(raw: string): Refusal | null {
  // A UTF-16 code unit takes at most 3 bytes, so most values need no count.
  if (raw.length * 3 > MAX_VALUE_BYTES && Buffer.byteLength(raw) > MAX_VALUE_BYTES) return TOO_LONG
  return raw.isWellFormed() ? null : MALFORMED
}

export const hasControl = (text: string): boolean => CONTROL.test(text)
