import { formatIpv4 } from '../../../schemas/intelligence/entities/datatypes/ipv4.ts'
import { COUNTRIES, HOSTERS, PLACES } from './corpus-words.ts'
import type { Dice } from './dice.ts'

/** The stated operator of a block of addresses. */
export type DemoNetwork = { asn: string; aso: string; country: string }

/** A block of 256 addresses, or of any number of IPv6 ones. */
export type AddressBlock = {
  network: DemoNetwork
  cidr: string
  /** A new address of it; null when none is left. */
  address(): string | null
}

const NETWORKS = 160
/** For documentation (RFC 5398). */
const DOCUMENTATION_ASNS = [64_496, 65_536]
const EACH = 16
/** For private use (RFC 6996). */
const PRIVATE_ASNS = 64_512

/** 198.18.0.0/15, for benchmarks (RFC 2544), and what 240.0.0.0/4 (RFC 1112) has from 240 to 247. */
const BENCHMARK = 0xc612_0000
const BENCHMARK_BLOCKS = 512
const RESERVED = 0xf000_0000
const RESERVED_BLOCKS = 2 ** 19
/** Odd, so that every block has its own. */
const SCATTER = 0x9e37_79b1
const HOSTS = 254

/**
 * Blocks of addresses that are not assigned (ADR 281), each owned by one of several networks; the dice decide which
 * of these are big.
 */
export function addressSpace(dice: Dice) {
  const countries = dice.shuffled(COUNTRIES)
  const networks = dice.shuffled(
    Array.from(
      { length: NETWORKS },
      (_, i): DemoNetwork => ({
        asn: String(asn(i)),
        aso: `${PLACES[i % PLACES.length]} ${HOSTERS[Math.floor(i / PLACES.length)]} Example`,
        country: dice.ranked(countries),
      }),
    ),
  )
  let given = 0
  let given6 = 0
  return {
    ipv4(): AddressBlock {
      const i = given++
      const start =
        i % 2 === 0 && i < 2 * BENCHMARK_BLOCKS
          ? BENCHMARK + (i / 2) * 256
          : RESERVED + ((Math.imul(i, SCATTER) >>> 0) % RESERVED_BLOCKS) * 256
      // 37 and 254 have no common divisor.
      const first = dice.below(HOSTS)
      let used = 0
      const address = () => (used < HOSTS ? formatIpv4(start + 1 + ((first + 37 * used++) % HOSTS)) : null)
      return { network: dice.ranked(networks), cidr: `${formatIpv4(start)}/24`, address }
    },
    /** Of 2001:db8::/32, for documentation (RFC 3849). */
    ipv6(): AddressBlock {
      const prefix = `2001:db8:${(0x100 + given6++).toString(16)}`
      let used = 0
      const address = () => `${prefix}:${(1 + dice.below(0xfff)).toString(16)}::${(++used).toString(16)}`
      return { network: dice.ranked(networks), cidr: `${prefix}::/48`, address }
    },
  }
}

function asn(i: number): number {
  const [first, second] = DOCUMENTATION_ASNS as [number, number]
  if (i < EACH) return first + i
  return i < 2 * EACH ? second + i - EACH : PRIVATE_ASNS + i - 2 * EACH
}
