import { formatIpv4, parseIpv4, unroutableIpv4 } from '../../../../schemas/intelligence/entities/datatypes/ipv4.ts'
import { url } from '../../../../schemas/intelligence/entities/datatypes/url.ts'
import { refang } from '../../../../schemas/intelligence/ingest/refang.ts'
import { INDICATOR_KINDS, type IndicatorKind } from './kinds.ts'

/** The indicator that was recognised in a pasted value. */
export type RecognisedValue = {
  kind: IndicatorKind
  /** The value to search for: refanged, without the surrounding text. */
  value: string
  /** More exactly than the kind: `SHA-256 hash`. */
  label: string
  /** The value was pasted defanged. */
  defanged: boolean
  /** An explanation for the reader. */
  note?: string
}

type Candidate = Omit<RecognisedValue, 'defanged' | 'label'> & { label?: string }

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
function domainName(text: string): string | null {
  if (text.length > 1_024 || /[\s/?#@:%\\]/.test(text)) return null
  // biome-ignore lint/suspicious/noControlCharactersInRegex: whether it is ASCII
  const ascii = /^[\x00-\x7f]*$/.test(text) ? text.toLowerCase() : (URL.parse(`http://${text}`)?.hostname ?? '')
  const name = ascii.replace(/\.$/, '')
  const labels = name.split('.')
  return name.length <= 253 && labels.length > 1 && labels.every((l) => LABEL.test(l)) && TLD.test(labels.at(-1)!)
    ? name
    : null
}

function recogniseAddress(text: string): Candidate | null {
  const short = parseIpv4(text)
  if (short >= 0) {
    const why = unroutableIpv4(short)
    return {
      kind: 'ip',
      value: formatIpv4(short),
      label: 'IPv4 address',
      ...(why === null ? {} : { note: `It is ${why}. Such addresses are not stored.` }),
    }
  }
  const long = ipv6(text)
  return long === null ? null : { kind: 'ip', value: long, label: 'IPv6 address' }
}

function recogniseHost(text: string): Candidate | null {
  const candidate = recogniseAddress(text)
  if (candidate !== null) return candidate
  const name = domainName(text)
  return name === null ? null : { kind: 'domain', value: name }
}

function withoutPort(candidate: Candidate | null, port: string | undefined): Candidate | null {
  return candidate === null || port === undefined ? candidate : { ...candidate, note: `Port ${port} is ignored.` }
}

function recogniseNetwork(text: string): Candidate | null {
  const [, base = '', bits = ''] = CIDR.exec(text) ?? []
  const most = parseIpv4(base) >= 0 ? 32 : ipv6(base) === null ? -1 : 128
  if (bits === '' || Number(bits) > most) return null
  // A network of one address is that address (ADR 258).
  return Number(bits) === most ? recogniseAddress(base) : { kind: 'cidr', value: text }
}

function recogniseSlashed(text: string): Candidate | null {
  const candidate = recogniseNetwork(text)
  if (candidate !== null) return candidate
  const before = text.slice(0, text.indexOf('/'))
  if ((recogniseHost(before) ?? recogniseHost(PORT.exec(before)?.[1] ?? '')) === null) return null
  const value = url(`http://${text}`)
  return typeof value === 'string' ? { kind: 'url', value, note: 'No scheme is given, so http is assumed.' } : null
}

function recogniseByForm(text: string): Candidate | null {
  if (ENTITY_ID.test(text.toLowerCase())) return { kind: 'id', value: text.toLowerCase() }
  if (text.includes('://')) {
    const value = url(text)
    return typeof value === 'string' ? { kind: 'url', value } : null
  }
  const asn = ASN.exec(text)
  if (asn !== null) return { kind: 'asn', value: String(Number(asn[1])) }
  if (CVE.test(text)) return { kind: 'cve', value: text.toLowerCase() }
  const mail = EMAIL.exec(text)
  if (mail !== null && domainName(mail[1]!) !== null) return { kind: 'email', value: text.toLowerCase() }
  const digest = DIGESTS[text.length]
  if (digest !== undefined && /^[0-9a-f]+$/i.test(text))
    return { kind: 'hash', value: text.toLowerCase(), label: `${digest} hash` }
  const whole = recogniseHost(text)
  if (whole !== null) return whole
  const bracketed = BRACKETED.exec(text)
  if (bracketed !== null) return withoutPort(recogniseAddress(bracketed[1]!), bracketed[2])
  const port = PORT.exec(text)
  if (port !== null && recogniseHost(port[1]!) !== null) return withoutPort(recogniseHost(port[1]!), port[2])
  return text.startsWith('/') || !text.includes('/') ? null : recogniseSlashed(text)
}

/**
 * What one pasted value is by its form, defanged or not; whatever has no form of its own is words. The same reading as
 * that of feeds (schemas/intelligence/ingest/detect.ts), without what browsers do not have. Never throws.
 */
export function recognise(raw: string): RecognisedValue {
  const text = raw.trim()
  const plain = text.length > MAX_LENGTH ? text : refang(text)
  const candidate = text.length > MAX_LENGTH ? null : recogniseByForm(plain)
  if (candidate === null) return { kind: 'text', value: text, label: INDICATOR_KINDS.text.label, defanged: false }
  return { ...candidate, label: candidate.label ?? INDICATOR_KINDS[candidate.kind].label, defanged: plain !== text }
}
