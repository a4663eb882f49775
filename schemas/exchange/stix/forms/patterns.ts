import { EXTENSION_ID } from '../members/extension-id.ts'
import { comparison, literal } from './pattern.ts'

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
