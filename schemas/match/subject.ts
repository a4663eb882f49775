/** What of an event is looked up (decisions-2 14.2). */

import { getDomain } from 'tldts'
import { hostNameOf, MAIL_TYPES, NAME_TYPES, URL_TYPES } from '../intelligence/compare/names.ts'
import { digest } from '../intelligence/entities/datatypes/digest.ts'
import { email } from '../intelligence/entities/datatypes/email.ts'
import { fqdn } from '../intelligence/entities/datatypes/fqdn.ts'
import { ip } from '../intelligence/entities/datatypes/ip.ts'
import { parseIpv4 } from '../intelligence/entities/datatypes/ipv4.ts'
import { url } from '../intelligence/entities/datatypes/url.ts'
import type { Normaliser } from '../intelligence/entities/refusal.ts'
import type { FieldName } from './event.ts'

/** A value under which an indicator of one of these types may be known. */
export type LookUp = { value: string; types: readonly string[] }

export type Subject = {
  kind: 'name' | 'address' | 'url' | 'digest' | 'mail'
  /** In normal form. */
  value: string
  /** The name itself, or the one that a URL points at; null without one. */
  host: string | null
  /** The address itself, or the one that a URL points at; null without one. Known networks are asked for it. */
  address: string | null
  /** The value itself first, then what it is below or points at. */
  lookups: readonly LookUp[]
}

const ADDRESS_TYPES: readonly string[] = ['ip']

/** Digests by their field: how they are read, and as what they may be known. A file may be listed by its MD5. */
const DIGESTS: Readonly<Partial<Record<FieldName, { read: Normaliser; types: readonly string[] }>>> = {
  md5: { read: digest('MD5'), types: ['md5', 'file'] },
  sha1: { read: digest('SHA-1'), types: ['sha1'] },
  sha256: { read: digest('SHA-256'), types: ['sha256'] },
  ja3: { read: digest('MD5'), types: ['ja3-fingerprint'] },
}

/** Types of entities that a value of an event may match, those of networks among them. */
export const LOOKED_UP_TYPES: readonly string[] = [
  ...new Set([
    ...ADDRESS_TYPES,
    'cidr',
    ...NAME_TYPES,
    ...URL_TYPES,
    ...MAIL_TYPES,
    ...Object.values(DIGESTS).flatMap(({ types }) => types),
  ]),
]

/** Names in normal form need none of the library's checks. Private suffixes are names of customers of a registrable one. */
const OPTIONS = { allowPrivateDomains: false, extractHostname: false, validateHostname: false, detectIp: false }

/** The registrable domain of a name in normal form, by the suffixes of registries; null for a suffix itself. */
export const registrableOf = (name: string): string | null => getDomain(name, OPTIONS)

/**
 * What a value of an event is looked up as; null when it has no normal form, and for an address that is not public, which
 * is neither looked up nor kept. Never throws.
 * @param lookupsOf what a name in normal form is looked up as; a caller that remembers it gives its own
 */
export function subjectOf(field: FieldName, raw: string, lookupsOf = nameLookups): Subject | null {
  const text = raw.trim()
  // The one bound of every datatype that the readings below do not have; values of events are short.
  if (!text.isWellFormed()) return null
  if (field === 'url') return ofUrl(text, lookupsOf)
  if (field === 'email') {
    const value = email(text)
    if (typeof value !== 'string') return null
    return { kind: 'mail', value, host: null, address: null, lookups: [{ value, types: MAIL_TYPES }] }
  }
  const kind = DIGESTS[field]
  if (kind === undefined) return isAddress(text) ? ofAddress(text) : ofName(text, lookupsOf)
  const value = kind.read(text)
  if (typeof value !== 'string') return null
  return { kind: 'digest', value, host: null, address: null, lookups: [{ value, types: kind.types }] }
}

/** No name has a colon, and the last label of none is a number. */
const isAddress = (text: string): boolean => text.includes(':') || parseIpv4(text) >= 0

function ofAddress(text: string): Subject | null {
  const value = ip(text)
  if (typeof value !== 'string') return null
  return { kind: 'address', value, host: null, address: value, lookups: [{ value, types: ADDRESS_TYPES }] }
}

type LookUpsOf = (name: string) => readonly LookUp[]

function ofName(text: string, lookupsOf: LookUpsOf): Subject | null {
  const value = fqdn(text)
  if (typeof value !== 'string') return null
  return { kind: 'name', value, host: value, address: null, lookups: lookupsOf(value) }
}

/** A URL is looked up whatever it points at; its host only if that is a name or a public address. */
function ofUrl(text: string, lookupsOf: LookUpsOf): Subject | null {
  const value = url(text)
  if (typeof value !== 'string') return null
  const own: LookUp = { value, types: URL_TYPES }
  const written = hostNameOf('url', value)!
  if (written.startsWith('[') || isAddress(written)) {
    const read = ip(written.startsWith('[') ? URL.parse(value)!.hostname.slice(1, -1) : written)
    const address = typeof read === 'string' ? read : null
    const lookups = address === null ? [own] : [own, { value: address, types: ADDRESS_TYPES }]
    return { kind: 'url', value, host: null, address, lookups }
  }
  // One final dot is gone already, and no name ends with two.
  const name = written.endsWith('.') ? null : fqdn(written)
  const host = typeof name === 'string' ? name : null
  return { kind: 'url', value, host, address: null, lookups: host === null ? [own] : [own, ...lookupsOf(host)] }
}

/** A name in normal form and every parent down to the registrable domain; a suffix of a registry has no such parent. */
export function nameLookups(name: string): readonly LookUp[] {
  const lookups: LookUp[] = [{ value: name, types: NAME_TYPES }]
  const registrable = registrableOf(name)
  if (registrable === null) return lookups
  for (
    let start = name.indexOf('.') + 1;
    name.length - start >= registrable.length;
    start = name.indexOf('.', start) + 1
  )
    lookups.push({ value: name.slice(start), types: NAME_TYPES })
  return lookups
}
