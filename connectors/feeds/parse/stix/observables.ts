import { isObject, type Json, textOf, textsOf } from '../document.ts'
import type { Named } from '../entity.ts'
import { comparedEntity } from './pattern/comparison.ts'
import { type Lookup, type Reading, seen } from './reading.ts'
import { digestType } from './stix-digest.ts'

/** Observables that one field identifies (the first field present), by the equivalent pattern path. */
export const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['ipv4-addr', ['value']],
  ['ipv6-addr', ['value']],
  ['domain-name', ['value']],
  ['url', ['value']],
  ['email-addr', ['value']],
  ['mac-addr', ['value']],
  ['directory', ['path']],
  ['windows-registry-key', ['key']],
  ['autonomous-system', ['number']],
  ['mutex', ['name']],
  ['user-account', ['account_login', 'user_id', 'display_name']],
  ['process', ['command_line', 'name']],
])

const CAREFUL: ReadonlyMap<string, (object: Json, at: Lookup) => Reading> = new Map([
  ['file', readFile],
  ['artifact', readFile],
  ['x509-certificate', readCertificate],
  ['email-message', readMessage],
  ['software', readSoftware],
  ['network-traffic', readTraffic],
])

/** What an observable stands for; undefined when its kind is none that is read. */
export function readObservable(object: Json, at: Lookup): Reading | undefined {
  const type = textOf(object.type)
  const careful = CAREFUL.get(type)
  if (careful !== undefined) return careful(object, at)
  const fields = FIELDS.get(type)
  if (fields === undefined) return undefined
  const field = fields.find((name) => textOf(object[name]).trim() !== '') ?? fields[0]!
  const entity = comparedEntity({ path: `${type}:${field}`, value: textOf(object[field]) })
  if (entity === undefined || entity.value.trim() === '') return { reason: `${type} without "${field}"` }
  return seen(entity, { ...entity.attributes })
}

/** A file is the catalogue's `file`, keyed by its MD5, else SHA3-256, else the UUID of its STIX id. */
function readFile(object: Json): Reading {
  const type = textOf(object.type)
  const parts = digests(object.hashes)
  const name = textOf(object.name).trim()
  const attributes = Object.fromEntries(parts.map((part) => [part.type, part.value]))
  if (name !== '') attributes.filename = name
  if (textOf(object.size) !== '') attributes['size-in-bytes'] = textOf(object.size)
  if (textOf(object.mime_type) !== '') attributes['mime-type'] = textOf(object.mime_type)
  if (parts.length === 0 && name === '') return { reason: `${type} without a name and a digest` }
  if (parts.length === 0) return seen({ type: 'filename', value: name })
  const key = attributes.md5 ?? attributes['sha3-256'] ?? textOf(object.id).replace(/^[a-z-]+--/, '')
  if (name !== '') parts.push({ type: 'filename', value: name })
  return seen({ type: 'file', value: key }, attributes, parts)
}

function readCertificate(object: Json): Reading {
  const prints = isObject(object.hashes) ? Object.values(object.hashes).map(textOf) : []
  const entities = prints.map((value) => {
    return { type: 'certificate-fingerprint', value, attributes: {}, malicious: false }
  })
  return entities.length > 0 ? { entities } : { reason: 'x509-certificate without a digest' }
}

function readMessage(object: Json): Reading {
  const [id, subject] = [textOf(object.message_id).trim(), textOf(object.subject).trim()]
  if (id !== '') return seen({ type: 'email', value: id }, subject === '' ? {} : { 'email-subject': subject })
  return subject === ''
    ? { reason: 'email-message without "message_id"' }
    : seen({ type: 'email-subject', value: subject })
}

function readSoftware(object: Json): Reading {
  const [cpe, name] = [textOf(object.cpe).trim(), textOf(object.name).trim()]
  if (cpe !== '') return seen({ type: 'cpe', value: cpe })
  return name === ''
    ? { reason: 'software without a name' }
    : seen({ type: 'value', value: name }, { category: 'software' })
}

/** Traffic is what it went to, else what it came from, with its port; the other end is a reference like any other. */
function readTraffic(object: Json, at: Lookup): Reading {
  for (const end of ['dst', 'src']) {
    const peer = at(textOf(object[`${end}_ref`]))
    const value = peer === undefined ? '' : textOf(peer.value)
    const entity = value === '' ? undefined : comparedEntity({ path: `${textOf(peer!.type)}:value`, value })
    if (entity === undefined) continue
    const port = textOf(object[`${end}_port`])
    const transport = textsOf(object.protocols).find((name) => /^(?:tcp|udp)$/i.test(name)) ?? 'tcp'
    return seen(entity, {
      ...entity.attributes,
      ...(port === '' ? {} : { port: `${port}/${transport.toLowerCase()}` }),
    })
  }
  return { reason: 'network-traffic without a known source or destination' }
}

function digests(hashes: unknown): Named[] {
  if (!isObject(hashes)) return []
  return Object.entries(hashes).flatMap(([algorithm, value]) => {
    const type = digestType(algorithm)
    return type === undefined || textOf(value) === '' ? [] : [{ type, value: textOf(value) }]
  })
}
