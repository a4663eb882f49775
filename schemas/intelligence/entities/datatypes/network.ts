import { MIMEType } from 'node:util'
import { type Normalised, refuse } from '../refusal.ts'

const NOT_A_PORT = refuse('must be a port and its protocol, such as 443/tcp or 53/udp')
const NOT_A_MAC = refuse('must be a MAC address of 6 or 8 bytes, such as 00-1B-44-11-3A-B7')
const NOT_A_MIME_TYPE = refuse('must be a media type, such as text/html')

const PORT = /^([1-9]\d{0,4})\/(tcp|udp)$/i
/** One separator throughout: a hyphen or colon between bytes, a dot between pairs of bytes, or none. */
const MAC = /^(?:[0-9a-f]{2}([-:]))(?:[0-9a-f]{2}\1){4}(?:(?:[0-9a-f]{2}\1){2})?[0-9a-f]{2}$/i
const DOTTED_MAC = /^(?:[0-9a-f]{4}\.){2,3}[0-9a-f]{4}$/i
const BARE_MAC = /^(?:[0-9a-f]{12}|[0-9a-f]{16})$/i

/** `<1..65535>/tcp` or `/udp`. */
export function port(raw: string): Normalised {
  const match = PORT.exec(raw)
  if (match === null || Number(match[1]) > 65_535) return NOT_A_PORT
  return `${match[1]}/${(match[2] as string).toLowerCase()}`
}

/** Upper-case bytes joined by hyphens. */
export function mac(raw: string): Normalised {
  if (!MAC.test(raw) && !DOTTED_MAC.test(raw) && !BARE_MAC.test(raw)) return NOT_A_MAC
  return (raw.replace(/[-:.]/g, '').toUpperCase().match(/../g) as string[]).join('-')
}

/** Longest media type, in characters: MIMEType takes quadratic time over spaces. */
const MAX_MIME_LENGTH = 1024

/** Lower case, parameters included. */
export function mimeType(raw: string): Normalised {
  if (raw.length > MAX_MIME_LENGTH) return NOT_A_MIME_TYPE
  try {
    const canonical = new MIMEType(raw.toLowerCase()).toString()
    return canonical.length > MAX_MIME_LENGTH ? NOT_A_MIME_TYPE : canonical
  } catch {
    return NOT_A_MIME_TYPE
  }
}
