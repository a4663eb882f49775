/** What a word of a line names: addresses, networks, names, mail addresses (ADR 268). */

import { entityOf } from '../entities/named.ts'
import { DOT } from '../ingest/refang.ts'
import { readAddress, readNetwork } from './addresses.ts'
import { nameForm, type ReadName, readName } from './extract-names.ts'
import type { Sink } from './indicator.ts'

/** What stands around a word, as far as it says what the word is. */
export type Around = {
  /** A field or a function has this name, or it is a part of a path: no name of a host. */
  notAName: boolean
  /** "version", or a product and a slash, stands in front of it: four numbers are no address. */
  isVersion: boolean
}

const plain = (text: string): string => text.replaceAll(DOT, '.')
const NUMBERS = /^[\d.]+$/

/** Without the signs that only stand around a name. A loop: an expression takes the square of its length on `-----x`. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && '._+-'.includes(text[start]!)) start++
  while (end > start && '._+-'.includes(text[end - 1]!)) end--
  return text.slice(start, end)
}

/** @returns whether it is an address; one that is not public is counted and not reported */
export function takeAddress(text: string, { emit, left }: Sink): boolean {
  const address = readAddress(text)
  if (address === null) return false
  if (address.notPublic) left.notPublic++
  else emit('ip', address.value)
  return true
}

export function takeNetwork(address: string, bits: string, { emit, left }: Sink): boolean {
  const network = readNetwork(address, bits)
  if (network === null) return false
  const { type, value } = entityOf('cidr', network.value)
  if (network.notPublic) left.notPublic++
  else emit(type, value)
  return true
}

/** Whether a word is an IPv4 address or a name, without a port. */
export function isHost(raw: string, around: Around): boolean {
  const text = trimmed(plain(raw))
  return NUMBERS.test(text) ? readAddress(text) !== null : nameOf(raw, around) !== null
}

function nameOf(raw: string, around: Around): ReadName | null {
  const said = raw.includes(DOT)
  return around.notAName && !said ? null : readName(trimmed(plain(raw)), said)
}

/** Reports an IPv4 address or a name, without a port. */
export function takeHost(raw: string, sink: Sink, around: Around): boolean {
  const text = trimmed(plain(raw))
  if (!text.includes('.')) return false
  if (NUMBERS.test(text)) return around.isVersion && !raw.includes(DOT) ? false : takeAddress(text, sink)
  const name = nameOf(raw, around)
  if (name !== null) sink.emit(name.type, name.value)
  return name !== null
}

/** Words with colons between them: an address of IPv6, a host and its port, a field and its value. */
export function takeColons(raw: string, sink: Sink, around: Around): void {
  const text = plain(raw)
  const words = text.split(':')
  if (words.length > 2) {
    const ended = trimmed(text)
    const whole = ended.endsWith(':') && !ended.endsWith('::') ? ended.slice(0, -1) : ended
    if (takeAddress(whole, sink) || takeAddress(whole.slice(whole.indexOf(':') + 1), sink)) return
  }
  for (const word of raw.split(':')) takeHost(word, sink, around)
}

const LOCAL_PART = /^[\p{L}\p{M}\p{N}_+-]+(?:\.[\p{L}\p{M}\p{N}_+-]+)*$/u
/** Bytes (RFC 5321 4.5.3.1). */
const MAX_LOCAL = 64
const MAX_MAIL = 254

/** Reports a mail address and its domain. */
export function takeMail(local: string, domain: string, { emit }: Sink): boolean {
  const who = plain(local).toLowerCase()
  const value = nameForm(trimmed(plain(domain)))
  const name = value === null ? null : readName(value, true)
  if (name === null || !LOCAL_PART.test(who) || new TextEncoder().encode(who).length > MAX_LOCAL) return false
  if (new TextEncoder().encode(who).length + 1 + name.value.length > MAX_MAIL) return false
  emit('email-address', `${who}@${name.value}`)
  emit(name.type, name.value)
  return true
}
