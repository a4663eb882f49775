import type { TypedValue } from './coverage.ts'
import { byAddress, contains, type Range, rangeOf } from './range.ts'

/** Most networks shown for one address. It can be in 33 (IPv4) or 129 (IPv6) networks: one of each length. */
export const MAX_COVERING = 32

type RangeEntry<T> = { range: Range; it: T }

/** Networks in the order of their addresses, the input of `coveringNetworks`. */
export type SortedNetworks<T> = readonly RangeEntry<T>[]

/** Sorts networks, no two of them with the same value; `value` is a cidr in its normal form. */
export const sortNetworks = <T extends { value: string }>(networks: readonly T[]): SortedNetworks<T> =>
  networks.map((it) => ({ range: rangeOf('cidr', it.value)!, it })).sort((a, b) => byAddress(a.range, b.range))

const begins = (network: Range, inner: Range): boolean => byAddress(network, inner) <= 0

/**
 * Of each address or network, by its value in normal form, the networks that it is in, itself among them: most specific
 * first. What is in none is left out. One walk over both in order: networks are nested or apart, so those around a place
 * are a stack.
 * @param most how many of each
 */
export function networksAround<T>(
  inner: Iterable<TypedValue>,
  networks: SortedNetworks<T>,
  most = Number.POSITIVE_INFINITY,
): Map<string, T[]> {
  const found = new Map<string, T[]>()
  const open: RangeEntry<T>[] = []
  let next = 0
  const leave = (range: Range): void => {
    while (open.length > 0 && !contains(open.at(-1)!.range, range)) open.pop()
  }
  const sorted = Array.from(inner, ({ type, value }) => ({ value, range: rangeOf(type, value)! }))
  for (const { value, range } of sorted.sort((a, b) => byAddress(a.range, b.range))) {
    for (; next < networks.length && begins(networks[next]!.range, range); next++) {
      leave(networks[next]!.range)
      open.push(networks[next]!)
    }
    leave(range)
    if (open.length === 0) continue
    const around = open.slice(-most).reverse()
    found.set(
      value,
      around.map((network) => network.it),
    )
  }
  return found
}

/** Of each address, in its normal form, the networks that it is in: most specific first, at most 32. */
export const coveringNetworks = <T>(ips: Iterable<string>, networks: SortedNetworks<T>): Map<string, T[]> =>
  networksAround(
    Array.from(new Set(ips), (value) => ({ type: 'ip', value })),
    networks,
    MAX_COVERING,
  )
