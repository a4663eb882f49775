import ipaddr from 'ipaddr.js'
import { formatIpv4 } from '../../../intelligence/entities/datatypes/ipv4.ts'
import { MAPPED_BITS, type Words } from './network.ts'

const MAPPED_WORD = 0xffff

/** Whether 128 bits are an IPv4 address. Never so for a listed IPv6 network: ::/64 is refused. */
export const isIpv4 = (words: Words): boolean => words[0] === 0 && words[1] === 0 && words[2] === MAPPED_WORD

/** A network as text in normal form; without `/bits` for a single address. */
export function formatNetwork(words: Words, bits: number): string {
  if (isIpv4(words)) return formatIpv4(words[3]) + (bits === 128 ? '' : `/${bits - MAPPED_BITS}`)
  const parts = words.flatMap((word) => [word >>> 16, word & 0xffff])
  return new ipaddr.IPv6(parts).toRFC5952String() + (bits === 128 ? '' : `/${bits}`)
}
