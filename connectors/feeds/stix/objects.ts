import { isObject, type Json, textOf, textsOf } from '../document.ts'
import type { Named } from '../entity.ts'
import { alternativeEntities, comparedEntity } from './comparison.ts'
import { digestType } from './digest.ts'
import { readPattern } from './pattern.ts'

/** One entity that a STIX object stands for. */
export type StixEntity = Named & {
  attributes: Record<string, string>
  /** Stated to be bad, not only seen. */
  malicious: boolean
  /** Parts of it: the digests of a file. */
  parts?: Named[]
}

/** An object's entities (the first stands for it in relationships), or why it has none; null: it is about the feed. */
export type Reading = { entities: StixEntity[] } | { reason: string } | null

/** Objects about the feed itself, or about other objects. */
const ADMINISTRATIVE = new Set(['marking-definition', 'identity', 'extension-definition', 'language-content', 'report'])

/** Observables whose single field is their value, and the pattern path that says the same. */
const OBSERVABLES: ReadonlyMap<string, string> = new Map([
  ['ipv4-addr', 'value'],
  ['ipv6-addr', 'value'],
  ['domain-name', 'value'],
  ['url', 'value'],
  ['email-addr', 'value'],
  ['mac-addr', 'value'],
  ['directory', 'path'],
  ['windows-registry-key', 'key'],
  ['autonomous-system', 'number'],
  ['mutex', 'name'],
  ['user-account', 'account_login'],
])

/** Named things, claimed to be bad by being stated. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['malware', 'malware'],
  ['threat-actor', 'adversary'],
  ['intrusion-set', 'group'],
  ['campaign', 'threat'],
])

/** What a STIX object, other than a relationship, stands for. */
export function readObject(object: Json): Reading {
  const type = textOf(object.type)
  if (ADMINISTRATIVE.has(type)) return null
  if (type === 'indicator') return readIndicator(object)
  if (type === 'file') return readFile(object)
  if (type === 'x509-certificate') return readCertificate(object)
  if (type === 'vulnerability') return named('cve', object, false)
  const field = OBSERVABLES.get(type)
  if (field !== undefined) {
    const entity = comparedEntity({ path: `${type}:${field}`, value: textOf(object[field]) })
    return entity === undefined || entity.value === ''
      ? { reason: `${type} without "${field}"` }
      : { entities: [{ ...entity, attributes: {}, malicious: false }] }
  }
  const name = NAMED.get(type)
  if (name !== undefined) return named(name, object, true)
  return { reason: `the catalogue has no type for STIX "${type}"` }
}

function readIndicator(object: Json): Reading {
  const language = textOf(object.pattern_type) || 'stix'
  if (language !== 'stix') return { reason: `a ${language} pattern is a detection rule, not an indicator` }
  const alternatives = readPattern(textOf(object.pattern))
  if ('reason' in alternatives) return alternatives
  const benign = textsOf(object.indicator_types).includes('benign')
  const entities: StixEntity[] = []
  for (const alternative of alternatives) {
    const found = alternativeEntities(alternative)
    if ('reason' in found) return found
    for (const entity of found) entities.push({ ...entity, malicious: !benign })
  }
  return { entities }
}

/** A file is the catalogue's `file`, keyed by its MD5, else SHA3-256, else the UUID of its STIX id. */
function readFile(object: Json): Reading {
  const parts = digests(object.hashes)
  const name = textOf(object.name).trim()
  const attributes = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  if (name !== '') attributes.filename = name
  if (textOf(object.size) !== '') attributes['size-in-bytes'] = textOf(object.size)
  const uuid = textOf(object.id).replace(/^file--/, '')
  const key = attributes.md5 ?? attributes['sha3-256'] ?? uuid
  if (parts.length === 0 && name === '') return { reason: 'file without a name and a digest' }
  if (parts.length === 0) return { entities: [{ type: 'filename', value: name, attributes: {}, malicious: false }] }
  if (name !== '') parts.push({ type: 'filename', value: name })
  return { entities: [{ type: 'file', value: key, attributes, malicious: false, parts }] }
}

function readCertificate(object: Json): Reading {
  const prints = isObject(object.hashes) ? Object.values(object.hashes).map(textOf) : []
  const entities = prints.map((value) => {
    return { type: 'certificate-fingerprint', value, attributes: {}, malicious: false }
  })
  return entities.length > 0 ? { entities } : { reason: 'x509-certificate without a digest' }
}

function named(type: string, object: Json, malicious: boolean): Reading {
  const value = textOf(object.name).trim()
  if (value === '') return { reason: `${textOf(object.type)} without a name` }
  const attributes: Record<string, string> = {}
  if (type === 'malware') {
    const kind = textsOf(object.malware_types)[0]
    if (kind !== undefined) attributes['malware-type'] = kind
    if (object.is_family === true) attributes['malware-family'] = value
  }
  return { entities: [{ type, value, attributes, malicious }] }
}

function digests(hashes: unknown): Named[] {
  if (!isObject(hashes)) return []
  return Object.entries(hashes).flatMap(([algorithm, value]) => {
    const type = digestType(algorithm)
    return type === undefined || textOf(value) === '' ? [] : [{ type, value: textOf(value) }]
  })
}
