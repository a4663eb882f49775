import { type Normalised, refuse } from '../refusal.ts'

/** Longest pattern that is compiled, in characters: compiling costs more than any other check. */
export const MAX_PATTERN_LENGTH = 4096

const TOO_LONG = refuse(`must be a regular expression of at most ${MAX_PATTERN_LENGTH} characters`)
const NOT_A_REGEX = refuse('must be a valid regular expression')

/** Flags in front of the whole pattern, which RE2, PCRE and Python know and JavaScript does not. */
const LEADING_FLAGS = /^\(\?[imsxU]{1,5}\)/

/** The pattern as written, if it compiles. It is never run. */
export function regex(raw: string): Normalised {
  if (raw === '') return NOT_A_REGEX
  if (raw.length > MAX_PATTERN_LENGTH) return TOO_LONG
  try {
    new RegExp(raw.replace(LEADING_FLAGS, ''))
    return raw
  } catch {
    return NOT_A_REGEX
  }
}
