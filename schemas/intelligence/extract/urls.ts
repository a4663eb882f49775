/** Where a URL of a text ends, and what it names. */

import { url } from '../entities/datatypes/url.ts'
import { DOT, schemeMeant } from '../ingest/refang.ts'
import { type ReadAddress, readAddress } from './addresses.ts'
import { nameForm, type ReadName, readName } from './extract-names.ts'
import { MAX_VALUE, type Sink } from './indicator.ts'

/** Signs that no URL has. */
const ENDS = new Set(
  ' \t\v\f\u00a0\u3000"<>`{}|\\^\u201c\u201d\u2018\u2019\u00ab\u00bb\u300c\u300d\u3002\uff0c'.split(''),
)
/** Signs that no host and no port has, outside of the brackets of an address. */
const AUTHORITY_ENDS = new Set([...ENDS, ..."/?#,;'()[]"])
const ENTITY = /^&(?:quot|gt|lt|apos|#39|#34);/
/** Signs that end a sentence, and not a URL. */
const TRAILING = new Set(".,;:!?'*_~".split(''))
const CLOSES: Readonly<Record<string, string>> = { ')': '(', ']': '[' }

/**
 * Where the URL that begins at `start` ends. Brackets belong to it in pairs. A comma or a semicolon ends one that such a
 * sign stands in front of: it is a cell of a table; a quotation mark the same.
 */
export function urlEnd(line: string, start: number): number {
  const before = line[start - 1] ?? ','
  const open: Record<string, number> = { '(': 0, '[': 0 }
  let end = start
  for (; end < line.length; end++) {
    const sign = line[end]!
    if (ENDS.has(sign) || sign < ' ' || (sign === before && (sign === ',' || sign === ';' || sign === "'"))) break
    if (sign === '&' && ENTITY.test(line.slice(end, end + 7))) break
    if (sign in open) open[sign]!++
    const opened = CLOSES[sign]
    if (opened !== undefined && --open[opened]! < 0) break
  }
  while (end > start && TRAILING.has(line[end - 1]!)) end--
  return end
}

/** Longest address in brackets. */
const MAX_BRACKETED = 48

/** Where the authority of a URL ends that begins at `start`. */
export function authorityEnd(line: string, start: number): number {
  const bracketed = line[start] === '[' ? line.slice(start, start + MAX_BRACKETED).indexOf(']') : -1
  let end = start + bracketed + 1
  while (end < line.length && !AUTHORITY_ENDS.has(line[end]!) && line[end]! >= ' ') end++
  return end
}

/** Schemes that name nothing on a network. */
const LOCAL = new Set(['file', 'data', 'about', 'chrome', 'resource', 'app', 'urn', 'classpath', 'jar'])
/** Names of a network of one's own (RFC 6762, 8375, 2606). */
const PRIVATE_NAME = /(?:^|\.)(?:local|localhost|localdomain|lan|home|corp|internal|intranet|arpa|invalid)$/

/** A scheme as it is meant; null for none that names something on a network. */
export function schemeOf(text: string): string | null {
  const scheme = text.toLowerCase()
  return LOCAL.has(scheme) || !/^[a-z][a-z0-9]{1,11}$/.test(scheme) ? null : schemeMeant(scheme)
}

type Host = { address: ReadAddress | null; name: ReadName | null }

/** The host of a URL in its normal form; null where it is none that can be on the internet. */
function hostOf(value: string): Host | null {
  const hostname = URL.parse(value)?.hostname ?? ''
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  const address = readAddress(host)
  if (address !== null) return { address, name: null }
  const name = readName(host, true)
  // A top-level domain may be younger than the list of them: behind a scheme it is a host all the same.
  return name === null && (nameForm(host) === null || PRIVATE_NAME.test(host)) ? null : { address, name }
}

/** Reports a URL and its host. @returns whether there is one */
export function takeUrl(text: string, { emit, left }: Sink): boolean {
  const value = url(text.replaceAll(DOT, '.'))
  const host = typeof value === 'string' ? hostOf(value) : null
  if (typeof value !== 'string' || host === null) return false
  const { address, name } = host
  if (address?.notPublic) left.notPublic++
  else if (value.length > MAX_VALUE) left.tooLong++
  else emit('url', value)
  if (address !== null && !address.notPublic) emit('ip', address.value)
  if (name !== null) emit(name.type, name.value)
  return true
}

/** Whether a scheme and an authority are the beginning of a URL that `takeUrl` takes. */
export function beginsUrl(text: string): boolean {
  const value = url(text.replaceAll(DOT, '.'))
  return typeof value === 'string' && hostOf(value) !== null
}
