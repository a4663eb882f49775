import { domainToUnicode } from 'node:url'
import { cidr } from '../../../intelligence/entities/datatypes/cidr.ts'
import { isHex } from '../../../intelligence/entities/datatypes/digest.ts'
import { email } from '../../../intelligence/entities/datatypes/email.ts'
import { fqdn } from '../../../intelligence/entities/datatypes/fqdn.ts'
import { ip } from '../../../intelligence/entities/datatypes/ip.ts'
import { isStoredForm } from '../../../intelligence/entities/earlier-forms.ts'
import type { Normaliser } from '../../../intelligence/entities/refusal.ts'

/** A digest as the vocabulary `hash-algorithm-ov` of STIX names it, and how many hexadecimal digits it has. */
type Algorithm = {
  type: string
  name: string
  digits: number
  /** Whether it may be the key of a file in the catalogue. */
  isKey: boolean
}

const algorithm = (type: string, name: string, digits: number, isKey = false): Algorithm => ({
  type,
  name,
  digits,
  isKey,
})

const MD5 = algorithm('md5', 'MD5', 32, true)
const SHA1 = algorithm('sha1', 'SHA-1', 40)
const SHA256 = algorithm('sha256', 'SHA-256', 64)

/** Of files, in the order in which the standard takes the first one for the id (STIX 2.1, 2.9). */
const FILES: readonly Algorithm[] = [
  MD5,
  SHA1,
  SHA256,
  algorithm('sha512', 'SHA-512', 128),
  algorithm('sha3-256', 'SHA3-256', 64, true),
  algorithm('sha3-512', 'SHA3-512', 128),
]

/** Of certificates. The catalogue has one type for all of them, so the length says which. */
const CERTIFICATES: readonly Algorithm[] = [MD5, SHA1, SHA256]

/** The place of a digest in a pattern. A name with a hyphen is quoted there. */
const digestPath = (name: string): string => (name.includes('-') ? `hashes.'${name}'` : `hashes.${name}`)

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

const byValue =
  (kind: string, property = 'value'): Read =>
  (value) =>
    value === '' ? null : { kind, identifying: { [property]: value }, path: property, literal: value }

/** A text, under the name of a property. */
const text =
  (type: string, kind: string, property: string): Read =>
  (value, attributes) =>
    isStoredForm(type, value) ? byValue(kind, property)(value, attributes) : null

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

/** What the schema of the standard takes for a name of a platform (CPE 2.3), in lower case as the catalogue has it. */
const PART = String.raw`(?:[*-]|\?*\*?(?:[a-z0-9._-]|\\[\\*?!"#$%&'()+,/:;<=>@[\]^\`{|}~])+\?*\*?)`
const CPE = new RegExp(
  String.raw`^cpe:2\.3:[aho*-](?::${PART}){5}:(?:[a-z]{2,3}(?:-(?:[a-z]{2}|\d{3}))?|[*-])(?::${PART}){4}$`,
)

const cpe: Read = (value) =>
  CPE.test(value) ? { kind: 'software', identifying: { cpe: value, name: value }, path: 'cpe', literal: value } : null

/** Letters, marks and digits of scripts that are written from left to right. */
const PLAIN_LABEL = /^(?![\p{M}-])[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}-]+$/u
const FROM_RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** A name that RFC 5890 allows, as the standard demands; others, such as with underscores, are said by a pattern alone. */
const name: Read = (value, attributes) => {
  if (fqdn(value) !== value || value.includes('_')) return null
  if (/(?:^|\.)..--/.test(value)) {
    const shown = domainToUnicode(value)
    const labels = shown.split('.')
    if (FROM_RIGHT.test(shown) || !labels.every((label) => PLAIN_LABEL.test(label) && !/^..--/.test(label))) return null
  }
  return byValue('domain-name')(value, attributes)
}

const PCHAR = `(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})`
/** A URI with an authority (RFC 3986), as the standard demands of `url:value`. */
const URI = new RegExp(
  String.raw`^[A-Za-z][A-Za-z0-9+.-]*://(?:${PCHAR}*@)?(?:\[[0-9A-Fa-f:.]+\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::\d*)?` +
    String.raw`(?:/${PCHAR}*)*(?:\?(?:${PCHAR}|[/?])*)?(?:#(?:${PCHAR}|[/?])*)?$`,
)

/** Others, such as with braces or bars in a query, are said by a pattern alone (decisions 15.3). */
const uri: Read = (value, attributes) => (URI.test(value) ? text('url', 'url', 'value')(value, attributes) : null)

/** Addresses that the validator of the standard takes; others are said by a pattern alone. */
const PLAIN_ADDRESS = /^[a-z0-9_.+-]+@[a-z0-9-]+\.[a-z0-9.-]+$/

const mail: Read = (value, attributes) =>
  PLAIN_ADDRESS.test(value) ? normal(email, 'email-addr')(value, attributes) : null

/** Types of entity that have an observable in STIX. */
export const OBSERVABLES: Readonly<Record<string, Read>> = {
  ip: address(ip),
  cidr: address(cidr),
  domain: name,
  hostname: name,
  url: uri,
  'email-address': mail,
  'email-subject': having(text('email-subject', 'email-message', 'subject'), () => ({ is_multipart: false })),
  'mac-address': mac,
  asn: autonomousSystem,
  md5: digest('md5'),
  sha1: digest('sha1'),
  sha256: digest('sha256'),
  sha512: digest('sha512'),
  'sha3-256': digest('sha3-256'),
  'sha3-512': digest('sha3-512'),
  file: file,
  'certificate-fingerprint': certificate,
  filename: text('filename', 'file', 'name'),
  path: text('path', 'directory', 'path'),
  regkey: text('regkey', 'windows-registry-key', 'key'),
  username: text('username', 'user-account', 'account_login'),
  cpe: cpe,
}

/** Types of entity whose observable may be that of another one: a name as domain and as host name, a file and a digest. */
export const SHARED: ReadonlySet<string> = new Set(['domain', 'hostname', 'file', ...FILES.map(({ type }) => type)])
