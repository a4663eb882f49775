import { momentOf } from '../circumstances.ts'
import type { PatternToken } from './tokens.ts'

/** Between which an observation counts, unix milliseconds: from `from`, before `until`. */
export type During = { from: number; until: number }

/** The time in which both hold. */
export const together = (a: During | undefined, b: During): During =>
  a === undefined ? b : { from: Math.max(a.from, b.from), until: Math.min(a.until, b.until) }

const ALWAYS: During = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }

/** Qualifiers of one observation. */
const MAX_QUALIFIERS = 10

/**
 * Reads the qualifiers that stand at a place: `REPEATS n TIMES` and `WITHIN n SECONDS`, which say how often and how fast, and
 * `START t'...' STOP t'...'`. Returns the place behind them and the time of the last ones, or why they cannot be read.
 */
export function qualifiers(
  tokens: readonly PatternToken[],
  start: number,
): { at: number; during: During | null } | { reason: string } {
  let at = start
  let during: During | null = null
  const word = (n: number): string => (tokens[at + n]?.kind === 'word' ? tokens[at + n]!.text.toUpperCase() : '')
  for (let n = 0; n < MAX_QUALIFIERS; n++) {
    const name = word(0)
    if ((name === 'REPEATS' && word(2) === 'TIMES') || (name === 'WITHIN' && word(2) === 'SECONDS')) {
      if (!(Number(tokens[at + 1]!.text) > 0)) return { reason: `the pattern has no number after ${name}` }
      at += 3
    } else if (name === 'START' && word(2) === 'STOP') {
      const [from, until] = [timeOf(tokens[at + 1]), timeOf(tokens[at + 3])]
      if (from === undefined || until === undefined || from >= until)
        return { reason: 'the pattern has no time between START and STOP' }
      during = together(during ?? ALWAYS, { from, until })
      at += 4
    } else break
  }
  return { at, during }
}

/** `t'2026-01-01T00:00:00Z'`, which is a word with its quotes undone. */
const timeOf = (token: PatternToken | undefined): number | undefined => momentOf(token?.text.replace(/^t/, ''))

const ADDRESS = /^(?:ipv[46]-addr:value|network-traffic:(?:src|dst)_ref\.value)$/
/** A regular expression of letters, digits and escaped signs alone, from begin to end. */
const LITERAL = /^\^((?:[\w@/:%&=~, -]|\\[^\w])*)\$$/

/** The one value that a comparison other than `=` and `IN` means; null: more than one, or none. */
export function exactly(operator: string, path: string, value: string): string | null {
  if (operator === 'ISSUBSET') return ADDRESS.test(path) ? value : null
  if (operator === 'LIKE') return /[%_]/.test(value) ? null : value
  return operator === 'MATCHES' ? (LITERAL.exec(value)?.[1]?.replace(/\\(.)/g, '$1') ?? null) : null
}
