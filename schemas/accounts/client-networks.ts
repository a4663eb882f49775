/** From where a credential may be used: networks of clients (decisions 11.5, 16.1). */

import { isWithin, type Network, outermostNetworks, readNetwork } from '../intelligence/compare/compare-networks.ts'
import { parseIpv4 } from '../intelligence/entities/datatypes/ipv4.ts'
import type { Refusal } from '../intelligence/entities/refusal.ts'
import type { Range } from '../intelligence/propagation/range.ts'

/** Most networks of one credential. */
export const MAX_NETWORKS = 100
/** Longest text of a network, with room for what is refused by a better message. */
export const MAX_NETWORK_LENGTH = 64

/** A network in CIDR notation, or a single address; private ones too, since devices stand there. */
export function readClientNetwork(raw: string): Network | Refusal {
  const text = raw.trim()
  const whole = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`
  return readNetwork(whole)
}

/** Networks as they are compared, the outermost in order. A text that is none is left out: it lets nobody in. */
export const parseNetworks = (texts: readonly string[]): readonly Network[] =>
  outermostNetworks(texts.map(readClientNetwork).filter((network): network is Network => !('reason' in network)))

/** The one address of a client as it is compared; null for what is none. */
export function addressRange(address: string): Range | null {
  const short = parseIpv4(address)
  if (short >= 0) return { family: 4, first: short, last: short }
  const from = readClientNetwork(address)
  return 'reason' in from ? null : from.range
}

/** Whether an address is in one of the networks, which are `outermostNetworks`. What is no address is in none. */
export function isAddressIn(networks: readonly Network[], address: string): boolean {
  const range = addressRange(address)
  return range !== null && isWithin(networks, range)
}

/** Whether the address of a client is in one of the networks; none: from anywhere. */
export const mayComeFrom = (networks: readonly string[], address: string): boolean =>
  networks.length === 0 || isAddressIn(parseNetworks(networks), address)
