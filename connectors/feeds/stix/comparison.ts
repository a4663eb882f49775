import type { Detected } from '../../../schemas/ingest/detect.ts'
import { addressOrBlock, type Named, recognise } from '../entity.ts'
import { digestType } from './digest.ts'
import type { Comparison } from './pattern.ts'

/** What one alternative of a pattern claims: an entity, and what the other comparisons add to it. */
export type PatternEntity = Named & { attributes: Record<string, string> }

/** Object paths whose value is the main value of a catalogue type. */
const PATHS: ReadonlyMap<string, string> = new Map([
  ['email-addr:value', 'email-address'],
  ['email-message:from_ref.value', 'email-address'],
  ['email-message:sender_ref.value', 'email-address'],
  ['email-message:subject', 'email-subject'],
  ['email-message:message_id', 'email'],
  ['mac-addr:value', 'mac-address'],
  ['file:name', 'filename'],
  ['directory:path', 'path'],
  ['windows-registry-key:key', 'regkey'],
  ['autonomous-system:number', 'asn'],
  ['process:command_line', 'command'],
  ['user-account:account_login', 'username'],
  ['user-account:user_id', 'username'],
  ['software:cpe', 'cpe'],
  ['mutex:name', 'value'],
])

/** Paths whose value is an address or a name, whichever it looks like. */
const DETECTED = /^(?:domain-name:value|url:value|network-traffic:(?:src|dst)_ref\.value)$/

/** The entity that `path = value` names; undefined when the catalogue has no type for it. */
export function comparedEntity({ path, value }: Comparison): Detected | undefined {
  if (/^ipv[46]-addr:value$/.test(path)) return addressOrBlock(value)
  if (DETECTED.test(path)) {
    return recognise(value) ?? { type: path.startsWith('url') ? 'url' : 'domain', value }
  }
  const hashes = /^(file|artifact|x509-certificate):hashes\.(.+)$/.exec(path)
  if (hashes !== null) {
    const type = hashes[1] === 'x509-certificate' ? 'certificate-fingerprint' : digestType(hashes[2]!)
    return type === undefined ? undefined : { type, value }
  }
  const type = PATHS.get(path)
  return type === undefined ? undefined : { type, value }
}

/**
 * The entities of one alternative. Several comparisons together still name one thing when they are digests, a name and
 * a size of one file, or an address with a port; any other conjunction says less of each value than a claim would.
 */
export function alternativeEntities(all: Comparison[]): PatternEntity[] | { reason: string } {
  const named = all.map((comparison) => ({ comparison, entity: comparedEntity(comparison) }))
  const only = named[0]!
  if (all.length === 1) {
    if (only.entity === undefined) return { reason: `the catalogue has no type for "${only.comparison.path}"` }
    return [{ ...only.entity, attributes: { ...only.entity.attributes } }]
  }
  const mains = named.filter(({ comparison }) => MAIN_OF_CONJUNCTION.test(comparison.path) && comparison.value !== '')
  const others = named.filter((part) => !mains.includes(part))
  const attributes: Record<string, string> = {}
  for (const { comparison } of others) {
    const port = /^network-traffic:(?:src|dst)_port$/.test(comparison.path)
    if (port) attributes.port = `${comparison.value}/tcp`
    else if (comparison.path === 'file:name') attributes.filename = comparison.value
    else if (comparison.path === 'file:size') attributes['size-in-bytes'] = comparison.value
    else return { reason: 'the pattern demands several things at once, no single value is an indicator' }
  }
  const entities = mains.map(({ entity }) => entity)
  const oneThing = mains.length === 1 || mains.every(({ comparison }) => comparison.path.startsWith('file:hashes.'))
  if (mains.length === 0 || !oneThing || !entities.every((entity) => entity !== undefined)) {
    return { reason: 'the pattern demands several things at once, no single value is an indicator' }
  }
  return entities.map((entity) => ({ ...entity, attributes: { ...entity.attributes, ...attributes } }))
}

const MAIN_OF_CONJUNCTION = /^(?:file:hashes\..+|network-traffic:(?:src|dst)_ref\.value)$/
