import { type Point, zeroBits } from '../../../../schemas/intelligence/compare/points.ts'
import { formatIpv4 } from '../../../../schemas/intelligence/entities/datatypes/ipv4.ts'
import { parseIpv6 } from '../../../../schemas/intelligence/entities/datatypes/ipv6.ts'
import type { Named } from '../entity.ts'

/**
 * Most networks that one range becomes (ADR 255). The usable addresses of a /24 (`.1` to `.254`) are 14; what needs more
 * was not meant as networks.
 */
export const MAX_NETWORKS = 16

/** The address of a number in its normal form. */
function addressOf({ bits, at }: Point): string {
  if (bits === 32) return formatIpv4(Number(at))
  const groups = at.toString(16).padStart(32, '0').match(/.{4}/g)!
  return parseIpv6(groups.join(':'))!
}

/**
 * The whole networks from one address to another, both included, in order; a single address is an `ip`. Null when they are
 * more than `MAX_NETWORKS`.
 */
export function networksBetween(first: Point, last: Point): Named[] | null {
  const { bits } = first
  const networks: Named[] = []
  for (let at = first.at; at <= last.at; ) {
    if (networks.length === MAX_NETWORKS) return null
    let free = zeroBits(at, bits)
    while (at + (1n << BigInt(free)) - 1n > last.at) free--
    const address = addressOf({ bits, at })
    networks.push(free === 0 ? { type: 'ip', value: address } : { type: 'cidr', value: `${address}/${bits - free}` })
    at += 1n << BigInt(free)
  }
  return networks
}
