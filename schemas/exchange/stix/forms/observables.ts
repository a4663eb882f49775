import { cidr } from '../../../intelligence/entities/datatypes/cidr.ts'
import { isHex } from '../../../intelligence/entities/datatypes/digest.ts'
import { email } from '../../../intelligence/entities/datatypes/email.ts'
import { fqdn } from '../../../intelligence/entities/datatypes/fqdn.ts'
import { ip } from '../../../intelligence/entities/datatypes/ip.ts'
import { url } from '../../../intelligence/entities/datatypes/url.ts'
import { normalise } from '../../../intelligence/entities/normalise.ts'
import type { Normaliser } from '../../../intelligence/entities/refusal.ts'
import { type Algorithm, CERTIFICATES, digestPath, FILES } from './digests.ts'

/** An observable of STIX 2.1: its kind, its properties, and the place and value of a pattern that matches it. */
export type Reading = {
  kind: string
  /** Those that its id follows from (STIX 2.1, 2.9), in the order of RFC 8785. */
  identifying: Readonly<Record<string, unknown>>
  /** Those beside them. */
  others?: Readonly<Record<string, unknown>>
  path: string
  literal: string | number
}

type Attributes = Readonly<Record<string, string>>
type Read = (value: string, attributes: Attributes) => Reading | null

/** What a reader that knows no extension takes for the same entity. */
type Plain = 'observable and pattern' | 'pattern' | 'nothing'

export type ObservableForm = { read: Read; plain: Plain }

const byValue =
  (kind: string, property = 'value'): Read =>
  (value) =>
    value === '' ? null : { kind, identifying: { [property]: value }, path: property, literal: value }

/** A value that is in the normal form of its datatype: others would be objects that readers refuse. */
const normal =
  (normaliser: Normaliser, kind: string): Read =>
  (value, attributes) =>
    normaliser(value) === value ? byValue(kind)(value, attributes) : null

const address =
  (normaliser: Normaliser): Read =>
  (value, attributes) =>
    normal(normaliser, value.includes(':') ? 'ipv6-addr' : 'ipv4-addr')(value, attributes)

const hashed = (kind: string, { name }: Algorithm, value: string, hashes: Attributes = { [name]: value }): Reading => ({
  kind,
  identifying: { hashes: { [name]: value } },
  others: { hashes },
  path: digestPath(name),
  literal: value,
})

const isDigest = (value: string, { digits }: Algorithm): boolean => value.length === digits && isHex(value)

/** The digest of a file, by the name that the vocabulary `hash-algorithm-ov` has for it. */
function digest(type: string): Read {
  const algorithm = FILES.find((one) => one.type === type)!
  return (value) => (isDigest(value, algorithm) ? hashed('file', algorithm, value) : null)
}

/** A file by its key and its digests; the first of them in the order of the standard is what its id follows from. */
const file: Read = (value, attributes) => {
  const hashes: Record<string, string> = {}
  for (const algorithm of FILES) {
    const given = attributes[algorithm.type] ?? (algorithm.isKey ? value : '')
    if (isDigest(given, algorithm)) hashes[algorithm.name] = given
  }
  const first = FILES.find(({ name }) => hashes[name] !== undefined)
  return first === undefined ? null : hashed('file', first, hashes[first.name]!, hashes)
}

const certificate: Read = (value) => {
  const algorithm = CERTIFICATES.find((one) => isDigest(value, one))
  return algorithm === undefined ? null : hashed('x509-certificate', algorithm, value)
}

/** STIX knows addresses of six bytes, in lower case with colons. */
const mac: Read = (value, attributes) =>
  /^[0-9A-F]{2}(?:-[0-9A-F]{2}){5}$/.test(value)
    ? byValue('mac-addr')(value.toLowerCase().replaceAll('-', ':'), attributes)
    : null

const autonomousSystem: Read = (value) => {
  const number = Number(value)
  const is = /^\d{1,10}$/.test(value) && number < 2 ** 32
  return is ? { kind: 'autonomous-system', identifying: { number }, path: 'number', literal: number } : null
}

/** Adds to a reading what its kind has to have beside its id. */
const having =
  (read: Read, others: (value: string) => Readonly<Record<string, unknown>>): Read =>
  (value, attributes) => {
    const reading = read(value, attributes)
    return reading === null ? null : { ...reading, others: others(value) }
  }

const cpe: Read = (value) =>
  normalise('cpe', value) === value
    ? { kind: 'software', identifying: { cpe: value, name: value }, path: 'cpe', literal: value }
    : null

const both = (read: Read): ObservableForm => ({ read, plain: 'observable and pattern' })
const patternOnly = (read: Read): ObservableForm => ({ read, plain: 'pattern' })
const neither = (read: Read): ObservableForm => ({ read, plain: 'nothing' })

/** Types of entity that have an observable in STIX. */
export const OBSERVABLES: Readonly<Record<string, ObservableForm>> = {
  ip: both(address(ip)),
  // A network of one address reads as that address.
  cidr: neither(address(cidr)),
  domain: neither(normal(fqdn, 'domain-name')),
  hostname: neither(normal(fqdn, 'domain-name')),
  // Readers take spellings such as `[.]` in a URL for a defanged one.
  url: neither(normal(url, 'url')),
  'email-address': both(normal(email, 'email-addr')),
  'email-subject': both(having(byValue('email-message', 'subject'), () => ({ is_multipart: false }))),
  'mac-address': both(mac),
  asn: both(autonomousSystem),
  md5: patternOnly(digest('md5')),
  sha1: patternOnly(digest('sha1')),
  sha256: patternOnly(digest('sha256')),
  sha512: patternOnly(digest('sha512')),
  'sha3-256': patternOnly(digest('sha3-256')),
  'sha3-512': patternOnly(digest('sha3-512')),
  file: neither(file),
  'certificate-fingerprint': both(certificate),
  filename: both(byValue('file', 'name')),
  path: both(byValue('directory', 'path')),
  regkey: both(byValue('windows-registry-key', 'key')),
  username: both(byValue('user-account', 'account_login')),
  cpe: both(cpe),
}

/**
 * Types of entity whose observable may be that of another one in a list without attributes: a name as domain and as host
 * name, a file and its digest.
 */
export const SHARED: ReadonlySet<string> = new Set(['domain', 'hostname', 'file', 'md5', 'sha3-256'])
