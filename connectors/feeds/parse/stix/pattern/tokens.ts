export type PatternToken =
  | { kind: 'string'; text: string }
  /** `[ ] ( ) , = !=` and the other comparison signs. */
  | { kind: 'sign'; text: string }
  /** Keywords, numbers and object paths with their quoted parts undone: `file:hashes.SHA-256`. */
  | { kind: 'word'; text: string }

/** Longest pattern, in characters. */
const MAX_PATTERN = 65_536

const SPACE = /\s+/y
const SIGN = /!=|<=|>=|[[\](),=<>]/y
/** The standard has single quotes; writers use both. */
const STRING = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/sy
/** A path or keyword; parts such as `hashes.'SHA-256'` and `ext['x']` belong to it. */
const WORD =
  /[A-Za-z0-9_:.*+-]+(?:'(?:[^'\\]|\\.)*'[A-Za-z0-9_:.*+-]*|"[^"\\]*"[A-Za-z0-9_:.*+-]*|\['?[^\]']*'?\][A-Za-z0-9_:.*+-]*)*/sy

/** The tokens of a STIX pattern; a reason when it holds anything else. */
export function patternTokens(pattern: string): PatternToken[] | { reason: string } {
  if (pattern.length > MAX_PATTERN) return { reason: `the pattern is longer than ${MAX_PATTERN} characters` }
  const tokens: PatternToken[] = []
  let at = 0
  const take = (expression: RegExp): RegExpExecArray | null => {
    expression.lastIndex = at
    const match = expression.exec(pattern)
    if (match !== null) at = expression.lastIndex
    return match
  }
  while (at < pattern.length) {
    if (take(SPACE) !== null) continue
    const sign = take(SIGN)
    if (sign !== null) {
      tokens.push({ kind: 'sign', text: sign[0] })
      continue
    }
    const quoted = take(STRING)
    if (quoted !== null) {
      tokens.push({ kind: 'string', text: (quoted[1] ?? quoted[2])!.replace(/\\(.)/gs, '$1') })
      continue
    }
    const word = take(WORD)
    if (word === null) return { reason: `the pattern has a syntax error at character ${at + 1}` }
    tokens.push({ kind: 'word', text: word[0].replaceAll(/['"]/g, '') })
  }
  return tokens
}
