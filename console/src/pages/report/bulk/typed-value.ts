import { getDomain } from 'tldts'
import { recognise } from '../../../parts/indicators/recognise.ts'

/** The recognised type and value of a line, without the surrounding text. */
export type TypedValue = { type: string; value: string }

/** By the words of the recognition. */
const DIGESTS: Readonly<Record<string, string>> = {
  'MD5 hash': 'md5',
  'SHA-1 hash': 'sha1',
  'SHA-224 hash': 'sha224',
  'SHA-256 hash': 'sha256',
  'SHA-384 hash': 'sha384',
  'SHA-512 hash': 'sha512',
}

/** The type of the catalogue that a value is by its form; null for words. A name below a registered one is a host. */
export function typedValueOf(text: string): TypedValue | null {
  const { kind, value, label } = recognise(text)
  if (kind === 'text' || kind === 'id') return null
  if (kind === 'email') return { type: 'email-address', value }
  if (kind === 'hash') return DIGESTS[label] === undefined ? null : { type: DIGESTS[label], value }
  if (kind !== 'domain') return { type: kind, value }
  const registered = getDomain(value, { extractHostname: false, validateHostname: false, detectIp: false })
  return { type: registered === null || registered === value ? 'domain' : 'hostname', value }
}
