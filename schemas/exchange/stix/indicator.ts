import { instant } from '../../feeds-out/formats/text/instant.ts'
import { jsonText } from '../../feeds-out/formats/text/json.ts'
import { comparison, literal } from './forms/pattern.ts'
import { claimId } from './ids.ts'
import type { StixFacts, StixItem, StixObject, StixVersion } from './item.ts'
import { extensionOf } from './members/extension.ts'
import { EXTENSION_ID } from './members/extension-id.ts'
import { markedFor } from './members/marking.ts'
import type { Moments } from './members/moments.ts'
import { objectLine } from './members/object-line.ts'
import { rightsOf, versionOf } from './members/versioned.ts'
import { MOST_COUNTED } from './observed.ts'

/**
 * Places in patterns for what STIX has no observable for, or none whose id every producer makes alike: that of a process
 * is random.
 */
const PATHS: Readonly<Record<string, string>> = {
  // What the observables of these types have no room for.
  domain: 'domain-name:value',
  hostname: 'domain-name:value',
  url: 'url:value',
  'email-address': 'email-addr:value',
  'mac-address': 'mac-addr:value',
  cpe: 'software:cpe',
  command: 'process:command_line',
  process: 'process:image_ref.name',
  email: 'email-message:message_id',
  'email-body': 'email-message:body',
  'email-display-name': 'email-message:from_ref.display_name',
  'mime-type': 'file:mime_type',
  sha224: "file:hashes.'SHA-224'",
  sha384: "file:hashes.'SHA-384'",
  'sha3-224': "file:hashes.'SHA3-224'",
  'sha3-384': "file:hashes.'SHA3-384'",
  'sha512-224': "file:hashes.'SHA-512/224'",
  'sha512-256': "file:hashes.'SHA-512/256'",
  payload: "artifact:hashes.'SHA3-256'",
  link: 'url:value',
  'file-data': 'url:value',
  'malware-sample': 'url:value',
  'windows-service-name': "process:extensions.'windows-service-ext'.service_name",
  'windows-service-displayname': "process:extensions.'windows-service-ext'.display_name",
}

/** Types whose values are regular expressions, which `MATCHES` compares with. */
const EXPRESSIONS: Readonly<Record<string, string>> = { 'filename-pattern': 'file:name' }

/** Types of entity that STIX has a place for in patterns. Some have an observable too, where their value allows it. */
export const IN_PATTERNS: readonly string[] = [...Object.keys(PATHS), ...Object.keys(EXPRESSIONS)]

/** The object that stands for what STIX has no word for: bytes, of which only the extension says what they are. */
const CARRIER = `artifact:extensions.'${EXTENSION_ID}'`

/** The pattern of an entity without an observable. What STIX has no place for is compared inside of the extension. */
export function patternOf(type: string, value: string): string {
  const path = PATHS[type]
  if (path !== undefined) return comparison(path, value)
  const expression = EXPRESSIONS[type]
  if (expression !== undefined) return comparison(expression, value, 'MATCHES')
  return `[${CARRIER}.entity_type = ${literal(type)} AND ${CARRIER}.value = ${literal(value)}]`
}

/** By the vocabulary `indicator-type-ov`. What has no observable is an indicator whatever is thought of it. */
const kindOf = (reputation: number): string =>
  reputation < 0 ? 'malicious-activity' : reputation > 0 ? 'benign' : 'unknown'

/**
 * The claim about an entity. The extension names it always: of a pattern alone, a reader may take a name for another type,
 * and kinds of indicators for tags.
 */
export function indicatorObject(
  facts: StixFacts,
  item: StixItem,
  version: StixVersion,
  pattern: string,
  { first }: Moments,
): StixObject {
  const id = claimId(facts, item.entityId, version.life, 'indicator')
  // STIX refuses an end that is not after the beginning.
  const until =
    version.validUntil === null ? '' : `,"valid_until":"${instant(Math.max(first + 1, version.validUntil))}"`
  const members =
    `${versionOf(first, version)},"name":${jsonText(item.value)}` +
    `,"description":"reputation ${item.reputation}, accuracy ${item.accuracy}"` +
    `,"indicator_types":["${kindOf(item.reputation)}"],"pattern":${jsonText(pattern)},"pattern_type":"stix"` +
    `,"valid_from":"${instant(first)}"${until}${rightsOf(facts, item)}` +
    extensionOf(item, `,"reputation":${item.reputation}`)
  return { id, type: 'indicator', json: objectLine('indicator', id, members) }
}

/** The one sighting of an indicator: when it was seen first and last, and how often where that is known. */
export function sightingObject(
  facts: StixFacts,
  item: StixItem,
  version: StixVersion,
  indicator: StixObject,
  { first, last }: Moments,
): StixObject {
  const id = claimId(facts, item.entityId, version.life, 'sighting', ' sighting')
  const count = item.count === undefined ? '' : `,"count":${Math.min(item.count, MOST_COUNTED)}`
  const members =
    `${versionOf(first, version)},"first_seen":"${instant(first)}","last_seen":"${instant(last)}"${count}` +
    `,"sighting_of_ref":"${indicator.id}"${markedFor(facts.isPublic)}`
  return { id, type: 'sighting', json: objectLine('sighting', id, members) }
}
