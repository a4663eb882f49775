/** What the host of a URL says before anybody is asked about it. */

import { isIP } from 'node:net'
import { isPublicAddress } from './address.ts'

/** Last labels of names that mean something on one network or machine only (RFC 6761, 6762, 8375 and habit). */
const LOCAL_NAMES = new Set(
  ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan'].concat(
    ['arpa', 'test', 'invalid', 'onion', 'alt'], // the reverse tree and home.arpa; names that never lead outside
  ),
)

/** The host of a parsed URL without the brackets of IPv6 and the final dot of a name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/**
 * Why a host that `hostOf` gave may not be connected to; null when that depends on its addresses. Takes what the URL
 * parser left: decimal, octal, hexadecimal and shortened addresses are dotted by then.
 */
export function localHost(host: string): string | null {
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : 'must not point to a private, local or reserved address'
  const labels = host.split('.')
  if (labels.length < 2 || LOCAL_NAMES.has(labels.at(-1)!)) return 'must not point to a name of a local network'
  return null
}
