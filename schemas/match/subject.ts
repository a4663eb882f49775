/** What of an event is looked up (decisions 14.2). */

import { MAIL_TYPES, NAME_TYPES, URL_TYPES } from '../intelligence/compare/compare-names.ts'
import { namesAbove } from '../intelligence/compare/names-above.ts'
import { isAddress, pointsAt } from '../intelligence/compare/points-at.ts'
import { digest } from '../intelligence/entities/datatypes/digest.ts'
import { email } from '../intelligence/entities/datatypes/email.ts'
import { fqdn } from '../intelligence/entities/datatypes/fqdn.ts'
import { ip } from '../intelligence/entities/datatypes/ip.ts'
import { url } from '../intelligence/entities/datatypes/url.ts'
import { earlierForm } from '../intelligence/entities/earlier-forms.ts'
import type { Normalised, Normaliser } from '../intelligence/entities/refusal.ts'
import type { FieldName } from './event.ts'

/** A value under which an indicator of one of these types may be known. */
export type LookUp = { value: string; types: readonly string[] }

/** A value of an event as it is kept. */
export type ReadValue = {
  kind: 'name' | 'address' | 'url' | 'digest' | 'mail'
  /** In normal form. */
  value: string
  /** The name itself, or the one that a URL points at; null without one. */
  host: string | null
  /** The address itself, or the one that a URL points at; null without one. Known networks are asked for it. */
  address: string | null
}

export type Subject = ReadValue & {
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

/** Fields that are neither a URL, mail nor a digest: a name or an address, read alike whichever it is. */
const HOST_FIELDS: ReadonlySet<FieldName> = new Set(['query', 'answers', 'src', 'dst', 'sni', 'hostname'])

/** What a text is in these fields is the same in all fields of the same reading. */
export const readingOf = (field: FieldName): string => (HOST_FIELDS.has(field) ? 'host' : field)

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

/**
 * A value of an event; null when it has no normal form, and for an address that is not public, which is neither looked up
 * nor kept. Never throws.
 */
export function readValue(field: FieldName, raw: string): ReadValue | null {
  const text = raw.trim()
  // The one bound of every datatype that the readings below do not have; values of events are short.
  if (!text.isWellFormed()) return null
  if (field === 'url') return ofUrl(text)
  if (field === 'email') return ofText('mail', email(text))
  const kind = DIGESTS[field]
  if (kind !== undefined) return ofText('digest', kind.read(text))
  return isAddress(text) ? ofAddress(text) : ofName(text)
}

/** What a value that was read is looked up as. */
export function lookupsOf(field: FieldName, { kind, value, host, address }: ReadValue): readonly LookUp[] {
  if (kind === 'name') return nameLookups(value)
  if (kind === 'address') return [{ value, types: ADDRESS_TYPES }]
  if (kind === 'mail') return [{ value, types: MAIL_TYPES }]
  if (kind === 'digest') return [{ value, types: DIGESTS[field]!.types }]
  const earlier = earlierForm('url', value)
  const own = (earlier === null ? [value] : [value, earlier]).map((form) => ({ value: form, types: URL_TYPES }))
  if (host !== null) return [...own, ...nameLookups(host)]
  return address === null ? own : [...own, { value: address, types: ADDRESS_TYPES }]
}

/** Both in one, or null as `readValue` gives it. */
export function subjectOf(field: FieldName, raw: string): Subject | null {
  const read = readValue(field, raw)
  if (read === null) return null
  const { kind, value, host, address } = read
  return { kind, value, host, address, lookups: lookupsOf(field, read) }
}

const ofText = (kind: ReadValue['kind'], value: Normalised): ReadValue | null =>
  typeof value === 'string' ? { kind, value, host: null, address: null } : null

function ofAddress(text: string): ReadValue | null {
  const value = ip(text)
  return typeof value === 'string' ? { kind: 'address', value, host: null, address: value } : null
}

function ofName(text: string): ReadValue | null {
  const value = fqdn(text)
  return typeof value === 'string' ? { kind: 'name', value, host: value, address: null } : null
}

/** A URL is looked up whatever it points at; its host only if that is a name or a public address. */
function ofUrl(text: string): ReadValue | null {
  const value = url(text)
  return typeof value === 'string' ? { kind: 'url', value, ...pointsAt(value) } : null
}

/** A name in normal form and every parent down to the registrable domain; a suffix of a registry has no such parent. */
export const nameLookups = (name: string): readonly LookUp[] =>
  [name, ...namesAbove(name)].map((value) => ({ value, types: NAME_TYPES }))
