/** From where a download token may be used (decisions-2 11.5). */

import { isWithin, type Network, outermostNetworks, readNetwork } from '../intelligence/compare/networks.ts'
import type { Refusal } from '../intelligence/entities/refusal.ts'

/** Most networks of one token. */
export const MAX_NETWORKS = 100
/** Longest text of a network, with room for what is refused by a better message. */
export const MAX_NETWORK_LENGTH = 64

/** A network in CIDR notation, or a single address; private ones too, since devices stand there. */
export function readDeviceNetwork(raw: string): Network | Refusal {
  const text = raw.trim()
  const whole = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`
  return readNetwork(whole)
}

/** Whether the address of a client is in one of the networks; none: from anywhere. What is no address is in none. */
export function mayComeFrom(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true
  const from = readDeviceNetwork(address)
  if ('reason' in from) return false
  const known = networks.map(readDeviceNetwork).filter((network): network is Network => !('reason' in network))
  return isWithin(outermostNetworks(known), from.range)
}
