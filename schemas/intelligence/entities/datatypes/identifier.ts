import { type Normalised, refuse } from '../refusal.ts'
import { digest } from './digest.ts'

const NOT_A_UUID = refuse('must be a UUID')
const NOT_AN_IDENTIFIER = refuse('must be an MD5 digest, a SHA3-256 digest or a UUID')
const UUID = /^(?:urn:uuid:)?(\{?)([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(\}?)$/i
const BARE_UUID = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i

const md5 = digest('MD5')
const sha3 = digest('SHA3-256')

/** Lower case with hyphens; a `urn:uuid:` prefix, braces and the form without hyphens are read too. */
export function uuid(raw: string): Normalised {
  const match = UUID.exec(raw)
  if (match !== null) {
    const braced = (match[1] === '{') === (match[3] === '}')
    return braced ? (match[2] as string).toLowerCase() : NOT_A_UUID
  }
  return BARE_UUID.test(raw) ? raw.toLowerCase().replace(BARE_UUID, '$1-$2-$3-$4-$5') : NOT_A_UUID
}

/** The key of a file: MD5, SHA3-256 or UUID, in that order, so 32 digits without hyphens are an MD5. */
export function identifier(raw: string): Normalised {
  for (const read of [md5, sha3, uuid]) {
    const result = read(raw)
    if (typeof result === 'string') return result
  }
  return NOT_AN_IDENTIFIER
}
