/** Which dotted words of a text are names of hosts (ADR 268). */

import { parse } from 'tldts'

/** A name in its normal form: `domain` as it is registered, `hostname` below one. */
export type ReadName = { type: 'domain' | 'hostname'; value: string }

/** Not of the root zone, and names of hosts all the same: of other roots, and for documentation. */
const OTHER_TLDS = new Set(['onion', 'bit', 'bazar', 'example'])

/** Top-level domains that are mostly endings of files: a bare name of two labels is a file. */
const FILE_TLDS = new Set('cab cat mm mov name ps sh zip'.split(' '))
/** As these, and files with several dots are usual. */
const CODE_TLDS = new Set('data inc java map md pub py rs so src'.split(' '))

/** How names of classes and packages begin. */
const PACKAGES = new Set('android com io java javax jdk kotlin net org scala sun this self'.split(' '))

/** Products that are written like a name. */
const PRODUCTS = new Set(['ASP.NET', 'VB.NET', 'ADO.NET'])

const LABELS = /^(?:(?!-)[a-z0-9_-]{1,63}(?<!-)\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/
const HOST_OPTIONS = { extractHostname: false, validateHostname: false, detectIp: false, allowPrivateDomains: false }
const MAX_NAME = 253
const MAX_IDN = 1_024
/** Labels that no text takes for a number, a time or a sum. */
const SHORT_NUMBER = /^\d{1,2}$/

// biome-ignore lint/suspicious/noControlCharactersInRegex: whether it is ASCII
const ASCII = /^[\x00-\x7f]*$/

/** In lower case and ASCII, without a final dot; null when its labels are none of a name. */
export function nameForm(text: string): string | null {
  if (text.length > MAX_IDN) return null
  let name = ASCII.test(text) ? text.toLowerCase() : (URL.parse(`http://${text}`)?.hostname ?? '')
  if (name.endsWith('.')) name = name.slice(0, -1)
  return name.length <= MAX_NAME && LABELS.test(name) ? name : null
}

/**
 * A name under a top-level domain that there is. `said`: the text says that it is one, by its marks, by a scheme or by an
 * at sign; then it is taken, whatever else it could be.
 */
export function readName(text: string, said: boolean): ReadName | null {
  if (!said && looksLikeCode(text)) return null
  const value = nameForm(text)
  if (value === null) return null
  const { domain, isIcann, publicSuffix, domainWithoutSuffix } = parse(value, HOST_OPTIONS)
  if (domain === null || domainWithoutSuffix === null || publicSuffix === null) return null
  if (isIcann !== true && !OTHER_TLDS.has(publicSuffix)) return null
  if (!said && looksLikeFile(value, domainWithoutSuffix, publicSuffix)) return null
  return { type: domain === value ? 'domain' : 'hostname', value }
}

/** `com.example.Foo`, `System.IO`: letters of both cases behind the last dot, or a package at the beginning. */
function looksLikeCode(text: string): boolean {
  if (PRODUCTS.has(text)) return true
  const last = text.slice(text.lastIndexOf('.') + 1)
  if (last !== last.toLowerCase() && text !== text.toUpperCase()) return true
  const first = text.indexOf('.')
  return first !== text.lastIndexOf('.') && PACKAGES.has(text.slice(0, first).toLowerCase())
}

/** `install.sh`, `5.pm`, `my_file.info`: what a registry does not register, or what most texts mean otherwise. */
function looksLikeFile(name: string, registered: string, suffix: string): boolean {
  if (registered.includes('_') || SHORT_NUMBER.test(registered) || CODE_TLDS.has(suffix)) return true
  return FILE_TLDS.has(suffix) && name.length === registered.length + 1 + suffix.length
}
