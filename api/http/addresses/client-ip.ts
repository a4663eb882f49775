/** The address of the client, behind a known number of proxies of ours. */

import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * The address that the outermost of `hops` trusted proxies saw. Entries further left in `x-forwarded-for` are the
 * client's own words; with fewer entries than hops, the request did not come through our proxies: its peer is the client.
 */
export function clientIp(request: IncomingMessage, hops: number): string {
  const peer = plain(request.socket.remoteAddress ?? '')
  const forwarded = request.headers['x-forwarded-for']
  if (hops === 0 || forwarded === undefined) return peer
  const chain = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded).split(',')
  const seen = plain(withoutPort((chain.at(-hops) ?? '').trim()))
  return isIP(seen) === 0 ? peer : seen
}

/** `::ffff:192.0.2.1`, as a dual-stack socket reports IPv4, is the same client as `192.0.2.1`. */
export const plain = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address)

/** Some proxies write the port of their client too: `192.0.2.1:5678`, `[2001:db8::1]:5678`. */
const withoutPort = (entry: string): string =>
  /^(?:\[(.*)\]|([\d.]+))(?::\d+)?$/.exec(entry)?.slice(1).find(Boolean) ?? entry
