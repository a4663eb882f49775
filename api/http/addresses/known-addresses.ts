/** Addresses that came a moment ago: an IPv6 one takes longer to read than all else that accepts a known key (ADR 227). */

import { LRUCache } from 'lru-cache'
import { addressRange } from '../../../schemas/accounts/client-networks.ts'
import type { Range } from '../../../schemas/intelligence/propagation/range.ts'
import { addressBlock } from './address-block.ts'

const MAX_KNOWN = 10_000

type Known = { block: string; range: Range | null }

const known = new LRUCache<string, Known>({ max: MAX_KNOWN })

function knownAddress(address: string): Known {
  const before = known.get(address)
  if (before !== undefined) return before
  const read = { block: addressBlock(address), range: addressRange(address) }
  known.set(address, read)
  return read
}

const isIpv6 = (address: string): boolean => address.includes(':')

/** As `addressBlock`. */
export const knownBlock = (address: string): string => (isIpv6(address) ? knownAddress(address).block : address)

/** As `addressRange`. */
export const knownRange = (address: string): Range | null =>
  isIpv6(address) ? knownAddress(address).range : addressRange(address)
