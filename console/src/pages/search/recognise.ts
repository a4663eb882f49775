import { formatIpv4, parseIpv4, unroutableIpv4 } from '../../../../schemas/intelligence/entities/datatypes/ipv4.ts'
import { url } from '../../../../schemas/intelligence/entities/datatypes/url.ts'
import { refang } from '../../../../schemas/intelligence/ingest/refang.ts'
import { KINDS, type Kind } from './kinds.ts'

/** What a pasted value was taken for. */
export type Recognised = {
  kind: Kind
  /** As it is looked for: no longer defanged, the rest of what was pasted left out. */
  value: string
  /** More exactly than the kind: `SHA-256 hash`. */
  label: string
  /** It was written so that nobody follows it by accident. */
  defanged: boolean
  /** What the reader would wonder about otherwise. */
  note?: string
}

type Found = Omit<Recognised, 'defanged' | 'label'> & { label?: string }

/** Longest indicator that is looked at, in UTF-16 code units. */
const MAX_LENGTH = 8_192

const DIGESTS: Readonly<Record<number, string>> = {
  32: 'MD5',
  40: 'SHA-1',
  56: 'SHA-224',
  64: 'SHA-256',
  96: 'SHA-384',
  128: 'SHA-512',
}

const ENTITY_ID = /^[a-z0-9-]{1,64}-[0-9a-f]{64}$/
const CVE = /^cve-\d{4}-\d{4,}$/i
const ASN = /^asn?\s?(\d{1,10})$/i
const EMAIL = /^[^\s@"<>()]{1,64}@([^\s@]+)$/
const PORT = /^(.+):(\d{1,5})(?:\/(?:tcp|udp))?$/i
const BRACKETED = /^\[([0-9a-f:.]+)\](?::(\d{1,5}))?$/i
const CIDR = /^([0-9a-f:.]+)\/(\d{1,3})$/i
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
const TLD = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/** The usual text of an IPv6 address, or null. */
function ipv6(text: string): string | null {
  if (!/^[0-9a-f:.]{2,45}$/i.test(text) || !text.includes(':')) return null
  return URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) ?? null
}

/** A name of at least two labels in its ASCII form, or null. */
function nameOf(text: string): string | null {
  if (text.length > 1_024 || /[\s/?#@:%\\]/.test(text)) return null
  // biome-ignore lint/suspicious/noControlCharactersInRegex: whether it is ASCII
  const ascii = /^[\x00-\x7f]*$/.test(text) ? text.toLowerCase() : (URL.parse(`http://${text}`)?.hostname ?? '')
  const name = ascii.replace(/\.$/, '')
  const labels = name.split('.')
  return name.length <= 253 && labels.length > 1 && labels.every((l) => LABEL.test(l)) && TLD.test(labels.at(-1)!)
    ? name
    : null
}

function address(text: string): Found | null {
  const short = parseIpv4(text)
  if (short >= 0) {
    const why = unroutableIpv4(short)
    return {
      kind: 'ip',
      value: formatIpv4(short),
      label: 'IPv4 address',
      ...(why === null ? {} : { note: `It is ${why}: nothing is kept of such addresses.` }),
    }
  }
  const long = ipv6(text)
  return long === null ? null : { kind: 'ip', value: long, label: 'IPv6 address' }
}

function host(text: string): Found | null {
  const found = address(text)
  if (found !== null) return found
  const name = nameOf(text)
  return name === null ? null : { kind: 'domain', value: name }
}

function withPort(found: Found | null, port: string | undefined): Found | null {
  return found === null || port === undefined ? found : { ...found, note: `Port ${port} is left out.` }
}

function network(text: string): Found | null {
  const [, base = '', bits = ''] = CIDR.exec(text) ?? []
  const most = parseIpv4(base) >= 0 ? 32 : ipv6(base) === null ? -1 : 128
  return Number(bits) <= most && bits !== '' ? { kind: 'cidr', value: text } : null
}

function slashed(text: string): Found | null {
  const found = network(text)
  if (found !== null) return found
  const before = text.slice(0, text.indexOf('/'))
  if ((host(before) ?? host(PORT.exec(before)?.[1] ?? '')) === null) return null
  const value = url(`http://${text}`)
  return typeof value === 'string' ? { kind: 'url', value, note: 'It is read as http, as no scheme is given.' } : null
}

function byForm(text: string): Found | null {
  if (ENTITY_ID.test(text.toLowerCase())) return { kind: 'id', value: text.toLowerCase() }
  if (text.includes('://')) {
    const value = url(text)
    return typeof value === 'string' ? { kind: 'url', value } : null
  }
  const asn = ASN.exec(text)
  if (asn !== null) return { kind: 'asn', value: String(Number(asn[1])) }
  if (CVE.test(text)) return { kind: 'cve', value: text.toLowerCase() }
  const mail = EMAIL.exec(text)
  if (mail !== null && nameOf(mail[1]!) !== null) return { kind: 'email', value: text.toLowerCase() }
  const digest = DIGESTS[text.length]
  if (digest !== undefined && /^[0-9a-f]+$/i.test(text))
    return { kind: 'hash', value: text.toLowerCase(), label: `${digest} hash` }
  const whole = host(text)
  if (whole !== null) return whole
  const bracketed = BRACKETED.exec(text)
  if (bracketed !== null) return withPort(address(bracketed[1]!), bracketed[2])
  const port = PORT.exec(text)
  if (port !== null && host(port[1]!) !== null) return withPort(host(port[1]!), port[2])
  return text.startsWith('/') || !text.includes('/') ? null : slashed(text)
}

/**
 * What one pasted value is by its form, defanged or not; whatever has no form of its own is words. The same reading as
 * that of feeds (schemas/intelligence/ingest/detect.ts), without what browsers do not have. Never throws.
 */
export function recognise(raw: string): Recognised {
  const text = raw.trim()
  const plain = text.length > MAX_LENGTH ? text : refang(text)
  const found = text.length > MAX_LENGTH ? null : byForm(plain)
  if (found === null) return { kind: 'text', value: text, label: KINDS.text.label, defanged: false }
  return { ...found, label: found.label ?? KINDS[found.kind].label, defanged: plain !== text }
}
