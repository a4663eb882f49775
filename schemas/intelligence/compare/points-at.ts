import { fqdn } from '../entities/datatypes/fqdn.ts'
import { ip } from '../entities/datatypes/ip.ts'
import { parseIpv4 } from '../entities/datatypes/ipv4.ts'
import { hostNameOf } from './compare-names.ts'

/** Whether the text of a host is an address: no name has a colon, and the last label of none is a number. */
export const isAddress = (text: string): boolean => text.includes(':') || parseIpv4(text) >= 0

/** What a URL in normal form points at: the name of its host, or its address if that is public. */
export function pointsAt(url: string): { host: string | null; address: string | null } {
  const written = hostNameOf('url', url)!
  if (written.startsWith('[') || isAddress(written)) {
    const read = ip(written.startsWith('[') ? URL.parse(url)!.hostname.slice(1, -1) : written)
    return { host: null, address: typeof read === 'string' ? read : null }
  }
  // One final dot is gone already, and no name ends with two.
  const name = written.endsWith('.') ? null : fqdn(written)
  return { host: typeof name === 'string' ? name : null, address: null }
}
