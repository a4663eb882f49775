import { type PatternToken, patternTokens } from './tokens.ts'
import { type During, exactly, qualifiers, together } from './words.ts'

/** `path` (`ipv4-addr:value`, `file:hashes.SHA-256`) equals `value`, or why it is compared with no single value. */
export type Comparison = { path: string; value: string; during?: During; why?: string }

/** Any one of the alternatives matches; an alternative matches when all of its comparisons do. */
export type Alternatives = Comparison[][]

const MAX_COMPARISONS = 1_000
const MAX_DEPTH = 32

/** Why a pattern is outside the part of the language that is read here. */
class Unsupported extends Error {}

/**
 * Reads the comparison part of the STIX 2.1 pattern language over strings and numbers: `=`, `IN`, and what means exactly one
 * value (`ISSUBSET` of a network, `LIKE` and `MATCHES` without wildcards), AND, OR and parentheses inside observation
 * expressions, OR between them, and qualifiers of one of them: how often it is seen changes no value, and when bounds the
 * time of the claim. Other comparisons are alternatives that say why they name no value. A pattern with NOT, or with more
 * than one observation together, names none at all: its reason is returned (ADR 256).
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
    const qualified = qualifiers(tokens, at)
    if ('reason' in qualified) throw new Unsupported(qualified.reason)
    at = qualified.at
    const { during } = qualified
    if (during === null) return inner
    return inner.map((all) => all.map((one) => ({ ...one, during: together(one.during, during) })))
  }

  const conjunction = (depth: number): Alternatives => {
    let all = comparison(depth)
    while (accept('word', 'AND')) {
      const next = comparison(depth)
      const size = next.length * all.reduce((sum, one) => sum + one.length, all.length)
      if (size > MAX_COMPARISONS) throw new Unsupported('the pattern has too many ORs inside of ANDs')
      all = all.flatMap((one) => next.map((other) => [...one, ...other]))
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
    const operator = text().toUpperCase()
    if (operator === 'NOT' || operator === '!=')
      throw new Unsupported(`the pattern compares with "${text()}": it names what is excluded`)
    if (at >= tokens.length || /^[[\](),]$/.test(operator))
      throw new Unsupported(`the pattern compares with "${text()}", which names no single value`)
    at++
    if (operator === 'IN') return values().map((value) => [{ path, value }])
    const value = literal()
    const exact = exactly(operator, path, value)
    if (exact !== null) return [[{ path, value: exact }]]
    return [[{ path, value, why: `the pattern compares with "${operator}", which names no single value` }]]
  }

  const values = (): string[] => {
    expect('(')
    const all = [literal()]
    while (accept('sign', ',')) all.push(literal())
    expect(')')
    return all
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
