import { getDomain } from 'tldts'
import { type Point, pointOf, prefixOfMask } from '../compare/points.ts'
import { DIGESTS, isHex } from '../entities/datatypes/digest.ts'
import { email } from '../entities/datatypes/email.ts'
import { fqdn } from '../entities/datatypes/fqdn.ts'
import { parseIpv4 } from '../entities/datatypes/ipv4.ts'
import { parseIpv6 } from '../entities/datatypes/ipv6.ts'
import { entityOf } from '../entities/named.ts'
import { normalise } from '../entities/normalise.ts'
import { refang } from './refang.ts'

/**
 * `value` is the normal form when there is one. A value whose form is clear and which its type refuses (a private
 * address) keeps its text, so that the import can say why it was refused.
 */
export type Detected = { type: string; value: string; attributes?: Record<string, string> }

/** Longest bare indicator that is looked at, in UTF-16 code units. */
const MAX_LENGTH = 8_192

const CVE = /^cve-\d{4}-\d{4,}$/i
/** The address of a link to a mailbox, without subject and text (RFC 6068). */
const MAILTO = /^mailto:/i
const PORT = /^(.+):(\d{1,5})(?:\/(tcp|udp))?$/i
const BRACKETED = /^\[([0-9a-f:.]+)\](?::(\d{1,5})(?:\/(tcp|udp))?)?$/i

const detectedAs = (type: string, text: string): Detected => {
  const value = normalise(type, text)
  return entityOf(type, typeof value === 'string' ? value : text)
}

const isIp = (text: string): boolean => parseIpv4(text) >= 0 || parseIpv6(text) !== null

/** A registrable domain is a `domain`, a name below one is a `hostname`; suffixes of registries only. */
function host(text: string): Detected | null {
  const value = fqdn(text)
  if (typeof value !== 'string') return null
  const registrable = getDomain(value, { extractHostname: false, validateHostname: false, detectIp: false })
  return { type: registrable === null || registrable === value ? 'domain' : 'hostname', value }
}

const address = (text: string): Detected | null => (isIp(text) ? detectedAs('ip', text) : host(text))

function withPort(found: Detected | null, number: string, protocol: string | undefined): Detected | null {
  const port = normalise('port', `${number}/${protocol ?? 'tcp'}`)
  return found === null || typeof port !== 'string' ? null : { ...found, attributes: { port } }
}

/** Text with a colon and no slash in front of it: an IPv6 address, or an address or a host with a port. */
function colon(text: string): Detected | null {
  const bracketed = BRACKETED.exec(text)
  if (bracketed !== null) {
    const inner = bracketed[1] as string
    if (parseIpv6(inner) === null) return null
    return bracketed[2] === undefined
      ? detectedAs('ip', inner)
      : withPort(detectedAs('ip', inner), bracketed[2], bracketed[3])
  }
  if (parseIpv6(text) !== null) return detectedAs('ip', text)
  const match = PORT.exec(text)
  return match === null ? null : withPort(address(match[1] as string), match[2] as string, match[3])
}

/** `198.51.100.0/255.255.255.0`; null for a mask that is none, and for one of no bit, which is an address. */
function netmask(address: string, mask: Point): Detected | null {
  const bits = pointOf(address)?.bits === mask.bits ? prefixOfMask(mask) : null
  return bits === null || bits === 0 ? null : detectedAs('cidr', `${address}/${bits}`)
}

/** Text with a slash and no scheme: a network, an address with a port and its protocol, or a URL short of its scheme. */
function slash(text: string): Detected | null {
  const at = text.indexOf('/')
  const before = text.slice(0, at)
  if (isIp(before) && /^\d{1,3}$/.test(text.slice(at + 1))) return detectedAs('cidr', text)
  const mask = isIp(before) ? pointOf(text.slice(at + 1)) : null
  if (mask !== null) return netmask(before, mask)
  if (/^(?:tcp|udp)$/i.test(text.slice(at + 1))) return colon(text)
  const authority = before.includes(':') ? colon(before) : address(before)
  if (authority === null) return null
  const value = normalise('url', `http://${text}`)
  return typeof value === 'string' ? { type: 'url', value } : null
}

/**
 * What a bare indicator is, defanged or not; null when it is nothing that is known by its form. `<ip>:<port>` is the
 * address with the attribute `port` (TCP unless it says UDP); a URL without a scheme is read as http (ADR 268).
 */
export function detect(raw: string): Detected | null {
  if (raw.length > MAX_LENGTH) return null
  const plain = refang(raw.trim())
  const text = MAILTO.test(plain) ? plain.slice(plain.indexOf(':') + 1).replace(/\?.*/s, '') : plain
  if (text === '') return null
  if (parseIpv4(text) >= 0) return detectedAs('ip', text)
  if (text.startsWith('/')) return detectedAs('path', text)
  if (text.includes('://')) {
    const value = normalise('url', text)
    return typeof value === 'string' ? { type: 'url', value } : null
  }
  if (text.includes('@')) {
    const value = email(text)
    if (typeof value === 'string') return { type: 'email-address', value }
  }
  if (text.includes('/')) return slash(text)
  if (text.includes(':')) return colon(text)
  const digest = DIGESTS[text.length]
  if (digest !== undefined && isHex(text)) return { type: digest, value: text.toLowerCase() }
  if (CVE.test(text)) return { type: 'cve', value: text.toLowerCase() }
  return host(text)
}
