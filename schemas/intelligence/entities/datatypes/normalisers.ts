import { MIMEType } from 'node:util'
import { type Normalised, type Normaliser, refuse } from '../refusal.ts'
import { hasControl } from './bounds.ts'
import { cidr } from './cidr.ts'
import { base64, digest, hexadecimal } from './digest.ts'
import { email } from './email.ts'
import { fqdn } from './fqdn.ts'
import { ip } from './ip.ts'
import { city, country } from './place.ts'
import type { DataType } from './table.ts'
import { caseSensitiveText, text } from './text.ts'
import { date, datetime } from './time.ts'
import { url } from './url.ts'

const NOT_A_PHONE = refuse('must be a telephone number in international form, such as +1 202 555 0143')
const WRITTEN = /^\+[\d .()/-]{7,40}$/
/** E.164: at most 15 digits, no country code begins with 0. */
const E164 = /^\+[1-9]\d{6,14}$/

/** `+` and the digits. */
function phone(raw: string): Normalised {
  if (!WRITTEN.test(raw)) return NOT_A_PHONE
  const digits = `+${raw.replace(/\D/g, '')}`
  return E164.test(digits) ? digits : NOT_A_PHONE
}

const NOT_A_UUID = refuse('must be a UUID')
const NOT_AN_IDENTIFIER = refuse('must be an MD5 digest, a SHA3-256 digest or a UUID')
const UUID = /^(?:urn:uuid:)?(\{?)([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(\}?)$/i
const BARE_UUID = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i

const md5 = digest('MD5')
const sha3 = digest('SHA3-256')

/** Lower case with hyphens; a `urn:uuid:` prefix, braces and the form without hyphens are read too. */
function uuid(raw: string): Normalised {
  const match = UUID.exec(raw)
  if (match !== null) {
    const braced = (match[1] === '{') === (match[3] === '}')
    return braced ? (match[2] as string).toLowerCase() : NOT_A_UUID
  }
  return BARE_UUID.test(raw) ? raw.toLowerCase().replace(BARE_UUID, '$1-$2-$3-$4-$5') : NOT_A_UUID
}

/** The key of a file: MD5, SHA3-256 or UUID, in that order, so 32 digits without hyphens are an MD5. */
function identifier(raw: string): Normalised {
  for (const read of [md5, sha3, uuid]) {
    const result = read(raw)
    if (typeof result === 'string') return result
  }
  return NOT_AN_IDENTIFIER
}

const NOT_A_PORT = refuse('must be a port and its protocol, such as 443/tcp or 53/udp')
const NOT_A_MAC = refuse('must be a MAC address of 6 or 8 bytes, such as 00-1B-44-11-3A-B7')
const NOT_A_MIME_TYPE = refuse('must be a media type, such as text/html')

const PORT = /^([1-9]\d{0,4})\/(tcp|udp)$/i
/** One separator throughout: a hyphen or colon between bytes, a dot between pairs of bytes, or none. */
const MAC = /^(?:[0-9a-f]{2}([-:]))(?:[0-9a-f]{2}\1){4}(?:(?:[0-9a-f]{2}\1){2})?[0-9a-f]{2}$/i
const DOTTED_MAC = /^(?:[0-9a-f]{4}\.){2,3}[0-9a-f]{4}$/i
const BARE_MAC = /^(?:[0-9a-f]{12}|[0-9a-f]{16})$/i

/** `<1..65535>/tcp` or `/udp`. */
function port(raw: string): Normalised {
  const match = PORT.exec(raw)
  if (match === null || Number(match[1]) > 65_535) return NOT_A_PORT
  return `${match[1]}/${(match[2] as string).toLowerCase()}`
}

/** Upper-case bytes joined by hyphens. */
function mac(raw: string): Normalised {
  if (!MAC.test(raw) && !DOTTED_MAC.test(raw) && !BARE_MAC.test(raw)) return NOT_A_MAC
  return (raw.replace(/[-:.]/g, '').toUpperCase().match(/../g) as string[]).join('-')
}

/** Longest media type, in characters: MIMEType takes quadratic time over spaces. */
const MAX_MIME_LENGTH = 1024

/** Lower case, parameters included. */
function mimeType(raw: string): Normalised {
  if (raw.length > MAX_MIME_LENGTH) return NOT_A_MIME_TYPE
  try {
    const canonical = new MIMEType(raw.toLowerCase()).toString()
    return canonical.length > MAX_MIME_LENGTH ? NOT_A_MIME_TYPE : canonical
  } catch {
    return NOT_A_MIME_TYPE
  }
}

/** What a name is not, each with its word for the reason. */
const OTHERS: readonly (readonly [string, Normaliser])[] = [
  ['a URL', url],
  ['a UUID', uuid],
  ['an email address', email],
  ['an IP address', ip],
  ['a telephone number', phone],
  ['a domain name', fqdn],
]

/** The name of an actor or a group, case kept: text that is none of the things that have a type of their own. */
function adversary(raw: string): Normalised {
  const name = caseSensitiveText(raw)
  if (typeof name !== 'string') return name
  for (const [what, read] of OTHERS) if (typeof read(name) === 'string') return refuse(`must be a name, not ${what}`)
  return name
}

const NOT_AN_INTEGER = refuse('must be an integer')
const OUT_OF_RANGE = refuse('must be a 64-bit integer')
const NOT_A_NUMBER = refuse('must be a number')
const NOT_FINITE = refuse('must be a finite number')
const NOT_A_BOOLEAN = refuse('must be true or false')

const INTEGER = /^[+-]?\d{1,40}$/
/** Every digit can be read in one way only: a second way would make long refusals quadratic. */
const FLOAT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
/** Digits of an integer that a JavaScript number always holds exactly. */
const PLAIN = /^(?:0|[1-9]\d{0,14})$/

/** A signed 64-bit integer without leading zeros or a plus sign. */
function integer(raw: string): Normalised {
  if (PLAIN.test(raw)) return raw
  if (!INTEGER.test(raw)) return NOT_AN_INTEGER
  const value = BigInt(raw.startsWith('+') ? raw.slice(1) : raw)
  return BigInt.asIntN(64, value) === value ? String(value) : OUT_OF_RANGE
}

/** The shortest text of the nearest double. */
function float(raw: string): Normalised {
  if (!FLOAT.test(raw)) return NOT_A_NUMBER
  const value = Number(raw)
  return Number.isFinite(value) ? String(value) : NOT_FINITE
}

function boolean(raw: string): Normalised {
  const lower = raw.toLowerCase()
  return lower === 'true' || lower === 'false' ? lower : NOT_A_BOOLEAN
}

/** Longest pattern that is compiled, in characters: compiling costs more than any other check. */
const MAX_PATTERN_LENGTH = 4096

const TOO_LONG = refuse(`must be a regular expression of at most ${MAX_PATTERN_LENGTH} characters`)
const NOT_A_REGEX = refuse('must be a valid regular expression')

/** Flags in front of the whole pattern, which RE2, PCRE and Python know and JavaScript does not. */
const LEADING_FLAGS = /^\(\?[imsxU]{1,5}\)/

/** The pattern as written, if it compiles. It is never run. */
function regex(raw: string): Normalised {
  if (raw === '') return NOT_A_REGEX
  if (raw.length > MAX_PATTERN_LENGTH) return TOO_LONG
  try {
    new RegExp(raw.replace(LEADING_FLAGS, ''))
    return raw
  } catch {
    return NOT_A_REGEX
  }
}

const BLANK = refuse('must not be blank')
const CONTROL = refuse('must be a path without control characters')
const A_URL = refuse('must be a path, not a URL')

/** Lower case; a file-system, process or URL path of either slash. */
function path(raw: string): Normalised {
  if (raw === '') return BLANK
  if (raw.includes('://')) return A_URL
  return hasControl(raw) ? CONTROL : raw.toLowerCase()
}

/**
 * How a value of each datatype is read (decisions 3.2). Apart from the table of datatypes, which the console loads into
 * a browser: some normalisers need Node.
 */
export const NORMALISERS: Readonly<Record<DataType, Normaliser>> = {
  String: text,
  'Case-sensitive string': caseSensitiveText,
  IP: ip,
  CIDR: cidr,
  FQDN: fqdn,
  URL: url,
  MD5: digest('MD5'),
  'SHA-1': digest('SHA-1'),
  'SHA-224': digest('SHA-224'),
  'SHA-256': digest('SHA-256'),
  'SHA-384': digest('SHA-384'),
  'SHA-512': digest('SHA-512'),
  'SHA3-224': digest('SHA3-224'),
  'SHA3-256': digest('SHA3-256'),
  'SHA3-384': digest('SHA3-384'),
  'SHA3-512': digest('SHA3-512'),
  'SHA512-224': digest('SHA512-224'),
  'SHA512-256': digest('SHA512-256'),
  Email: email,
  Port: port,
  Country: country,
  City: city,
  Date: date,
  Datetime: datetime,
  Integer: integer,
  Float: float,
  Boolean: boolean,
  UUID: uuid,
  MAC: mac,
  'MIME type': mimeType,
  Phone: phone,
  Path: path,
  Regex: regex,
  Hexadecimal: hexadecimal,
  BASE64: base64,
  Adversary: adversary,
  'UUID|MD5|SHA3-256': identifier,
}
