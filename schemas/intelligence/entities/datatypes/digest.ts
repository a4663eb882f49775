import { type Normalised, type Normaliser, refuse } from '../refusal.ts'
import { DATATYPES, type DigestName } from './table.ts'

/** True for one or more hexadecimal digits of either case. A loop: it beats a regular expression on short text. */
export function isHex(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const digit = (code >= 48 && code <= 57) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70)
    if (!digit) return false
  }
  return text.length > 0
}

/** The normaliser of one kind of digest: its number of hexadecimal digits, lower-cased. */
export function digest(name: DigestName): Normaliser {
  const [length] = DATATYPES[name].digits
  const refusal = refuse(`must be a ${name} digest: ${length} hexadecimal digits`)
  return (raw) => (raw.length === length && isHex(raw) ? raw.toLowerCase() : refusal)
}

const NOT_HEX = refuse('must be hexadecimal digits')
const PAIRS = /^[0-9a-f]{2}(?::[0-9a-f]{2})+$/i

/** Hexadecimal digits in lower case; the colons between pairs of a printed fingerprint are dropped. */
export function hexadecimal(raw: string): Normalised {
  if (isHex(raw)) return raw.toLowerCase()
  return PAIRS.test(raw) ? raw.replaceAll(':', '').toLowerCase() : NOT_HEX
}

const NOT_BASE64 = refuse('must be Base64 with the standard alphabet and padding')
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Standard Base64; the folds that mail puts between its lines are dropped. */
export function base64(raw: string): Normalised {
  const joined = raw.replace(/\s+/g, '')
  return joined.length % 4 === 0 && BASE64.test(joined) ? joined : NOT_BASE64
}

/** The type of a bare digest by its number of hexadecimal digits; the SHA-2 reading is taken where SHA-3 has the same length. */
export const DIGESTS: Readonly<Record<number, string>> = {
  32: 'md5',
  40: 'sha1',
  56: 'sha224',
  64: 'sha256',
  96: 'sha384',
  128: 'sha512',
}
