import type { Detected } from '../../../../../schemas/intelligence/ingest/detect.ts'
import { detect } from '../../../../../schemas/intelligence/ingest/detect.ts'
import { addressOrBlock, type Named } from '../../entity.ts'
import { digestType } from '../stix-digest.ts'
import type { Comparison } from './pattern.ts'
import { type During, together } from './words.ts'

/** What one alternative of a pattern claims: an entity, and what the other comparisons add to it. */
export type PatternEntity = Named & { attributes: Record<string, string>; during?: During }

/** Object paths whose value is the main value of a catalogue type. */
const PATHS: ReadonlyMap<string, string> = new Map([
  ['email-addr:value', 'email-address'],
  ['email-message:from_ref.value', 'email-address'],
  ['email-message:sender_ref.value', 'email-address'],
  ['email-message:subject', 'email-subject'],
  ['email-message:message_id', 'email'],
  ['mac-addr:value', 'mac-address'],
  ['email-message:to_refs[*].value', 'email-address'],
  ['email-message:cc_refs[*].value', 'email-address'],
  ['file:name', 'filename'],
  ['file:path', 'path'],
  ['file:parent_directory_ref.path', 'path'],
  ['directory:path', 'path'],
  ['process:name', 'process'],
  ['process:image_ref.name', 'filename'],
  ['process:binary_ref.name', 'filename'],
  ['windows-registry-key:key', 'regkey'],
  ['autonomous-system:number', 'asn'],
  ['process:command_line', 'command'],
  ['user-account:account_login', 'username'],
  ['user-account:user_id', 'username'],
  ['user-account:display_name', 'username'],
  ['software:cpe', 'cpe'],
])

/** Paths of what the catalogue has no type for: kept as `value` with the kind as category. */
const KEPT_AS_VALUE: ReadonlyMap<string, string> = new Map([['mutex:name', 'mutex']])

/** Paths whose value is an address or a name, determined by its form. */
const DETECTED = /^(?:domain-name:value|url:value|network-traffic:(?:src|dst)_ref\.value)$/

/** The entity that `path = value` names; undefined when the catalogue has no type for it. */
export function comparedEntity({ path, value }: Comparison): Detected | undefined {
  if (/^ipv[46]-addr:value$/.test(path)) return addressOrBlock(value)
  if (DETECTED.test(path)) {
    return detect(value) ?? { type: path.startsWith('url') ? 'url' : 'domain', value }
  }
  const hashes = /^(file|artifact|x509-certificate):hashes\.(.+)$/.exec(path)
  if (hashes !== null) {
    const type = hashes[1] === 'x509-certificate' ? 'certificate-fingerprint' : digestType(hashes[2]!)
    return type === undefined ? undefined : { type, value }
  }
  const category = KEPT_AS_VALUE.get(path)
  if (category !== undefined) return { type: 'value', value, attributes: { category } }
  const type = PATHS.get(path)
  return type === undefined ? undefined : { type, value }
}

/**
 * The entities of one alternative. Several comparisons together still name one thing when they are digests, a name and
 * a size of one file, or an address with a port; any other conjunction says less of each value than a claim would.
 */
export function alternativeEntities(all: Comparison[]): PatternEntity[] | { reason: string } {
  const unread = all.find(({ why }) => why !== undefined)
  if (unread !== undefined) return { reason: unread.why! }
  const found = comparedEntities(all)
  const times = all.flatMap(({ during }) => (during === undefined ? [] : [during]))
  if ('reason' in found || times.length === 0) return found
  const during = times.reduce((known, one) => together(known, one))
  return found.map((entity) => ({ ...entity, during }))
}

function comparedEntities(all: Comparison[]): PatternEntity[] | { reason: string } {
  const named = all.map((comparison) => ({ comparison, entity: comparedEntity(comparison) }))
  const only = named[0]!
  if (all.length === 1) {
    if (only.entity === undefined) return { reason: `the catalogue has no type for "${only.comparison.path}"` }
    return [{ ...only.entity, attributes: { ...only.entity.attributes } }]
  }
  const mains = named.filter(({ comparison }) => MAIN_OF_CONJUNCTION.test(comparison.path) && comparison.value !== '')
  const others = named.filter((part) => !mains.includes(part))
  const attributes = describing(others.map(({ comparison }) => comparison))
  if (attributes === undefined) return { reason: SEVERAL }
  const entities = mains.map(({ entity }) => entity)
  const oneThing = mains.length === 1 || mains.every(({ comparison }) => comparison.path.startsWith('file:hashes.'))
  if (mains.length === 0 || !oneThing || !entities.every((entity) => entity !== undefined)) {
    return { reason: SEVERAL }
  }
  return entities.map((entity) => ({ ...entity, attributes: { ...entity.attributes, ...attributes } }))
}

const SEVERAL = 'the pattern requires several conditions at once, so no single value is an indicator'

/** Of a file or a connection: the attribute that a comparison gives to it. */
const DESCRIBING: ReadonlyMap<string, string> = new Map([
  ['file:name', 'filename'],
  ['file:size', 'size-in-bytes'],
  ['file:mime_type', 'mime-type'],
  ['file:path', 'path'],
  ['file:parent_directory_ref.path', 'path'],
])

/** What the comparisons beside the main one add to it; undefined when one of them demands another thing. */
function describing(comparisons: readonly Comparison[]): Record<string, string> | undefined {
  const attributes: Record<string, string> = {}
  const transport = comparisons.find(({ path, value }) => PROTOCOLS.test(path) && /^udp$/i.test(value)) ? 'udp' : 'tcp'
  for (const { path, value } of comparisons) {
    const attribute = DESCRIBING.get(path)
    if (attribute !== undefined) attributes[attribute] = value
    else if (/^network-traffic:(?:src|dst)_port$/.test(path)) attributes.port = `${value}/${transport}`
    // The address determines its kind; the port determines the protocols.
    else if (!PROTOCOLS.test(path) && !/^network-traffic:(?:src|dst)_ref\.type$/.test(path)) return undefined
  }
  return attributes
}

const PROTOCOLS = /^network-traffic:protocols\[(?:\*|\d+)\]$/

const MAIN_OF_CONJUNCTION = /^(?:file:hashes\..+|network-traffic:(?:src|dst)_ref\.value)$/
