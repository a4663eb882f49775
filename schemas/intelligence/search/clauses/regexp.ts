import { RE2JS } from 're2js'
import { fault } from '../fault.ts'
import type { Reading } from '../reading.ts'

/** Longest pattern, in characters. */
const MAX_LENGTH = 1000
/** What all patterns of a request may cost together: the store gives one pattern 87,000 instructions. */
export const REGEXP_BUDGET = 50_000
/** Cost of one character, of a class of Unicode, and of a class that is written out. */
const ONE = 25
/** Cost of a character of a wildcard, which repeats nothing but what is anything. */
const LITERAL = 5
const UNICODE = 500

/** One part of a pattern: escapes and counts are read as a whole. */
const PART =
  /\\Q.*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|.)|\\x\{[^}]*\}|\\.|\{(\d{1,9})(?:,(\d{0,9}))?\}|\[\^?\]?(?:\\.|\[:\^?[a-z]+:\]|[^\\\]])*\]?|./gsy

/**
 * A pattern of RE2, checked by its grammar. Its size is estimated first, counts multiplied out: nested counts make large
 * programs of short patterns, and compiling those is what would cost (ADR 94).
 */
export function pattern(text: string, path: string, reading: Reading): string {
  if (text.length > MAX_LENGTH) fault(path, `must be a regular expression of at most ${MAX_LENGTH} characters`)
  reading.regexpBudget -= size(text)
  if (!(reading.regexpBudget >= 0))
    fault(path, 'exceeds the allowed size of regular expressions per search; use fewer repetitions or expressions')
  try {
    RE2JS.compile(text)
  } catch (error) {
    fault(path, `must be an RE2 regular expression: ${reason(error)}`)
  }
  return text
}

const reason = (error: unknown): string =>
  error instanceof Error ? error.message.replace('error parsing regexp: ', '') : 'syntax error'

function size(text: string): number {
  const groups: { total: number; last: number }[] = [{ total: ONE, last: 0 }]
  for (const [part, least, most] of text.matchAll(PART)) {
    const group = groups.at(-1)!
    if (part === '(') {
      groups.push({ total: ONE, last: 0 })
    } else if (part === ')' && groups.length > 1) {
      const { total } = groups.pop()!
      add(groups.at(-1)!, total)
    } else if (least !== undefined) {
      add(group, group.last * (Math.max(1, Number(least), Number(most ?? 0)) - 1), group.last)
    } else {
      add(group, cost(part))
    }
  }
  return groups.reduce((sum, { total }) => sum + total, 0)
}

function add(group: { total: number; last: number }, cost: number, before = 0): void {
  group.total += cost
  group.last = before + cost
}

/** In UTF-8 a class of letters beyond ASCII is hundreds of instructions. */
function cost(part: string): number {
  if (part.startsWith('[')) {
    const classes = part.match(/\\[pP]/g)?.length ?? 0
    const wide = /[^\0-\x7f]|\\x/.test(part) ? part.length * 10 : 0
    return ONE * 4 + classes * UNICODE + wide
  }
  if (part.startsWith('\\Q')) return part.length * ONE
  return /^\\[pP]/.test(part) ? UNICODE : ONE
}

const SPECIAL = /[\\^$.*+?()[\]{}|]/

/** `*` for anything, `?` for one character, `\` takes the meaning from the next: as a pattern of RE2. */
export function wildcardPattern(text: string, path: string, reading: Reading): string {
  if (text.length > MAX_LENGTH) fault(path, `must be a wildcard of at most ${MAX_LENGTH} characters`)
  reading.regexpBudget -= text.length * LITERAL
  if (reading.regexpBudget < 0)
    fault(path, 'exceeds the allowed size of wildcards per search; use fewer or shorter wildcards')
  let found = ''
  for (const [part] of text.matchAll(/\*+|\\.|./gsu)) {
    if (part.startsWith('*')) found += '(?s:.*)'
    else if (part === '?') found += '(?s:.)'
    else found += literal(part.length > 1 && part.startsWith('\\') ? part.slice(1) : part)
  }
  return found
}

const literal = (character: string): string => (SPECIAL.test(character) ? `\\${character}` : character)
