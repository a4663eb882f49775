import { type PatternToken, patternTokens } from './pattern-tokens.ts'

/** `path` (`ipv4-addr:value`, `file:hashes.SHA-256`) equals `value`. */
export type Comparison = { path: string; value: string }

/** Any one of the alternatives matches; an alternative matches when all of its comparisons do. */
export type Alternatives = Comparison[][]

const MAX_COMPARISONS = 1_000
const MAX_DEPTH = 32

/** Why a pattern is outside the part of the language that is read here. */
class Unsupported extends Error {}

/**
 * Reads the comparison part of the STIX 2.1 pattern language: `=` and `IN` over strings and numbers, AND, OR and
 * parentheses inside observation expressions, OR between them. A pattern that needs more (NOT, LIKE, MATCHES, ordering,
 * sequences, qualifiers) names no single value: its reason is returned.
 */
export function readPattern(pattern: string): Alternatives | { reason: string } {
  const tokens = patternTokens(pattern)
  if ('reason' in tokens) return tokens
  try {
    return observations(tokens)
  } catch (error) {
    if (error instanceof Unsupported) return { reason: error.message }
    throw error
  }
}

function observations(tokens: PatternToken[]): Alternatives {
  let at = 0
  let comparisons = 0
  const text = (): string => tokens[at]?.text ?? 'the end'
  const is = (kind: PatternToken['kind'], word: string): boolean =>
    tokens[at]?.kind === kind && tokens[at]!.text.toUpperCase() === word
  const accept = (kind: PatternToken['kind'], word: string): boolean => is(kind, word) && ++at > 0
  const expect = (sign: string): void => {
    if (!accept('sign', sign)) throw new Unsupported(`expected "${sign}" in the pattern, found "${text()}"`)
  }
  const deeper = (depth: number): number => {
    if (depth === MAX_DEPTH) throw new Unsupported(`the pattern is nested deeper than ${MAX_DEPTH}`)
    return depth + 1
  }
  const either = (part: (depth: number) => Alternatives, depth: number): Alternatives => {
    const all = part(depth)
    while (accept('word', 'OR')) all.push(...part(depth))
    return all
  }

  const observation = (depth: number): Alternatives => {
    const grouped = accept('sign', '(')
    if (!grouped) expect('[')
    const inner = grouped ? either(observation, deeper(depth)) : either(conjunction, depth)
    expect(grouped ? ')' : ']')
    return inner
  }

  const conjunction = (depth: number): Alternatives => {
    let all = comparison(depth)
    while (accept('word', 'AND')) {
      const next = comparison(depth)
      if (all.length > 1 || next.length > 1) throw new Unsupported('an OR inside an AND is not supported in patterns')
      all = [[...all[0]!, ...next[0]!]]
    }
    return all
  }

  const comparison = (depth: number): Alternatives => {
    if (accept('sign', '(')) {
      const inner = either(conjunction, deeper(depth))
      expect(')')
      return inner
    }
    const path = tokens[at]?.kind === 'word' && text().includes(':') ? text() : undefined
    if (path === undefined) throw new Unsupported(`the pattern uses "${text()}", which does not name a value`)
    at++
    if (accept('sign', '=')) return [[{ path, value: literal() }]]
    if (!accept('word', 'IN'))
      throw new Unsupported(`the pattern compares with "${text()}"; only = and IN are supported`)
    expect('(')
    const values = [literal()]
    while (accept('sign', ',')) values.push(literal())
    expect(')')
    return values.map((value) => [{ path, value }])
  }

  const literal = (): string => {
    const token = tokens[at++]
    if (token === undefined || token.kind === 'sign') throw new Unsupported('a value is missing in the pattern')
    if (++comparisons > MAX_COMPARISONS) throw new Unsupported(`the pattern has more than ${MAX_COMPARISONS} values`)
    return token.text
  }

  const all = either(observation, 0)
  if (at < tokens.length) throw new Unsupported(`the pattern uses "${text()}" between observations`)
  return all
}
