import { literal, quotedName } from './literals.ts'
import type { SqlToken } from './tokens.ts'

/** Punctuation that never merges with a neighbouring token. */
const APART = new Set(['(', ')', '[', ']', '{', '}', ',', '.'])

/** Whether two tokens that touched when they were read may touch again. */
const mayTouch = (left: SqlToken, right: SqlToken): boolean => {
  if (left.to !== right.from) return false
  if (left.kind === 'mark' && APART.has(left.text)) return true
  if (right.kind === 'mark' && APART.has(right.text)) return true
  // `-1::Int8` casts the text `-1`.
  return left.kind === 'mark' && left.text === '-' && right.kind === 'number'
}

const one = (token: SqlToken): string => {
  if (token.kind === 'text') return literal(token.text)
  return token.kind === 'quoted' ? quotedName(token.text) : token.text
}

/**
 * SQL of `tokens` and of nothing else: no comment of the original is left, and no two tokens make a third one. Quotes
 * and escapes are written anew, in one way (ADR 279).
 */
export const print = (tokens: readonly SqlToken[]): string => {
  const parts: string[] = []
  tokens.forEach((token, i) => {
    const before = tokens[i - 1]
    if (before !== undefined && !mayTouch(before, token)) parts.push(' ')
    parts.push(one(token))
  })
  return parts.join('')
}
