import { type Normalised, refuse } from '../refusal.ts'
import { fqdn } from './fqdn.ts'

const NOT_AN_ADDRESS = refuse('must be an email address, such as name@example.com')

/** Longest mailbox and longest part before the @, in bytes (RFC 5321 4.5.3.1). */
const MAX_ADDRESS_BYTES = 254
const MAX_LOCAL_BYTES = 64
/** Longest header form (display name and address) that is looked into. */
const MAX_HEADER_LENGTH = 1024

const NAMED = /^[^<>]*<([^<>]+)>$/
/** The atoms of RFC 5322 with the letters of RFC 6531, separated by single dots. */
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u

/** The address alone (a display name around it is dropped), lower-cased, the domain in its ASCII form. */
export function email(raw: string): Normalised {
  if (raw.length > MAX_HEADER_LENGTH) return NOT_AN_ADDRESS
  const address = NAMED.exec(raw)?.[1]?.trim() ?? raw
  const at = address.lastIndexOf('@')
  if (at < 1) return NOT_AN_ADDRESS
  const local = address.slice(0, at).toLowerCase()
  if (!LOCAL.test(local) || Buffer.byteLength(local) > MAX_LOCAL_BYTES) return NOT_AN_ADDRESS
  const domain = fqdn(address.slice(at + 1))
  if (typeof domain !== 'string') return NOT_AN_ADDRESS
  return Buffer.byteLength(local) + 1 + domain.length > MAX_ADDRESS_BYTES ? NOT_AN_ADDRESS : `${local}@${domain}`
}
