/** What may be scanned (specification 2.5, decisions 7). */

import { fqdn } from '../intelligence/entities/datatypes/fqdn.ts'
import { formatIpv4, parseIpv4 } from '../intelligence/entities/datatypes/ipv4.ts'
import { embeddedIpv4, parseIpv6 } from '../intelligence/entities/datatypes/ipv6.ts'
import { isPublicAddress } from '../network/address.ts'
import { localHost } from '../network/host.ts'

/** `value`: in normal form. */
export type ScanTarget = { kind: 'ip' | 'domain'; value: string }

/** Longer than any name in any spelling that is worth reading. */
export const MAX_TARGET = 1024

const LOCALHOST = /^localhost\.?$/i

/**
 * The target in the normal form of its entity, so that every spelling of it meets the same task; else what is wrong.
 * Addresses that are not public and names of local networks are refused unless `allowPrivate`: read from the text
 * itself, because the datatype of addresses refuses private ones in any case.
 */
export function scanTarget(
  text: string,
  { allowPrivate }: { allowPrivate: boolean },
): { ok: true; target: ScanTarget } | { ok: false; message: string } {
  const refused = (message: string) => ({ ok: false, message }) as const
  const trimmed = text.trim()
  if (trimmed.length > MAX_TARGET) return refused(`must have at most ${MAX_TARGET} characters`)
  const address = literal(trimmed)
  if (address !== null) {
    if (!allowPrivate && !isPublicAddress(address)) return refused('must not be a private, local or reserved address')
    return { ok: true, target: { kind: 'ip', value: address } }
  }
  if (LOCALHOST.test(trimmed))
    return allowPrivate
      ? { ok: true, target: { kind: 'domain', value: 'localhost' } }
      : refused('must not be a name of a local network')
  const name = fqdn(trimmed)
  if (typeof name !== 'string') return refused('must be an IP address or a fully qualified domain name')
  if (!allowPrivate && localHost(name) !== null) return refused('must not be a name of a local network')
  return { ok: true, target: { kind: 'domain', value: name } }
}

/** Dotted IPv4 or RFC 5952 text; an IPv4-mapped address is the IPv4 address. */
function literal(text: string): string | null {
  if (parseIpv4(text) >= 0) return text
  const long = parseIpv6(text)
  if (long === null) return null
  const embedded = embeddedIpv4(long)
  return embedded >= 0 ? formatIpv4(embedded) : long
}
