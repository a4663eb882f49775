import { cidr } from '../../../../intelligence/entities/datatypes/cidr.ts'
import { isHex } from '../../../../intelligence/entities/datatypes/digest.ts'
import { email } from '../../../../intelligence/entities/datatypes/email.ts'
import { fqdn } from '../../../../intelligence/entities/datatypes/fqdn.ts'
import { ip } from '../../../../intelligence/entities/datatypes/ip.ts'
import { url } from '../../../../intelligence/entities/datatypes/url.ts'
import type { Normaliser } from '../../../../intelligence/entities/refusal.ts'

/** An observable of STIX 2.1: its kind, the properties that identify it, and the place and value of a pattern. */
export type Reading = {
  kind: string
  properties: Readonly<Record<string, unknown>>
  path: string
  literal: string | number
}

type Read = (value: string) => Reading | null

const byValue =
  (kind: string, property = 'value'): Read =>
  (value) =>
    value === '' ? null : { kind, properties: { [property]: value }, path: property, literal: value }

/** A value that is in the normal form of its datatype: others would be objects that readers refuse. */
const normal =
  (normaliser: Normaliser, kind: string): Read =>
  (value) =>
    normaliser(value) === value ? byValue(kind)(value) : null

const address =
  (normaliser: Normaliser): Read =>
  (value) =>
    normal(normaliser, value.includes(':') ? 'ipv6-addr' : 'ipv4-addr')(value)

/** Digests by the names that the vocabulary `hash-algorithm-ov` knows, each with its hexadecimal digits. */
const digest =
  (algorithm: string, digits: number): Read =>
  (value) => {
    if (value.length !== digits || !isHex(value)) return null
    const path = algorithm.includes('-') ? `hashes.'${algorithm}'` : `hashes.${algorithm}`
    return { kind: 'file', properties: { hashes: { [algorithm]: value } }, path, literal: value }
  }

/** STIX knows addresses of six bytes, in lower case with colons. */
const mac: Read = (value) =>
  /^[0-9A-F]{2}(?:-[0-9A-F]{2}){5}$/.test(value) ? byValue('mac-addr')(value.toLowerCase().replaceAll('-', ':')) : null

const autonomousSystem: Read = (value) => {
  const number = Number(value)
  const is = /^\d{1,10}$/.test(value) && number < 2 ** 32
  return is ? { kind: 'autonomous-system', properties: { number }, path: 'number', literal: number } : null
}

/** Types of entity that plain STIX can say. */
const READINGS: Readonly<Record<string, Read>> = {
  ip: address(ip),
  cidr: address(cidr),
  domain: normal(fqdn, 'domain-name'),
  hostname: normal(fqdn, 'domain-name'),
  url: normal(url, 'url'),
  'email-address': normal(email, 'email-addr'),
  'mac-address': mac,
  asn: autonomousSystem,
  md5: digest('MD5', 32),
  sha1: digest('SHA-1', 40),
  sha256: digest('SHA-256', 64),
  sha512: digest('SHA-512', 128),
  'sha3-256': digest('SHA3-256', 64),
  'sha3-512': digest('SHA3-512', 128),
  filename: byValue('file', 'name'),
  regkey: byValue('windows-registry-key', 'key'),
}

/** Types of entity with an observable of STIX. */
export const STIX_TYPES: readonly string[] = Object.keys(READINGS)

/** How STIX says a value; null where it cannot. */
export const readingOf = (type: string, value: string): Reading | null => READINGS[type]?.(value) ?? null
