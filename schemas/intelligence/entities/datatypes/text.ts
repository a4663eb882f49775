import { type Normalised, refuse } from '../refusal.ts'

const BLANK = refuse('must not be blank')
const CONTROLS = /\p{Cc}/gu

/** Control characters become spaces, the ends are trimmed; case is kept. */
export function caseSensitiveText(raw: string): Normalised {
  const text = raw.replace(CONTROLS, ' ').trim()
  return text === '' ? BLANK : text
}

/** As `caseSensitiveText`, lower-cased. */
export function text(raw: string): Normalised {
  const kept = caseSensitiveText(raw)
  return typeof kept === 'string' ? kept.toLowerCase() : kept
}
