import { byAddress, contains, type Range, rangeOf } from './range.ts'

/** Most networks answered for one address. It can be in 33 (IPv4) or 129 (IPv6) networks: one of each length. */
const MAX_COVERING = 32

type RangeEntry<T> = { range: Range; it: T }

/** Networks in the order of their addresses, the input of `coveringNetworks`. */
export type SortedNetworks<T> = readonly RangeEntry<T>[]

/** Sorts networks, no two of them with the same value; `value` is a cidr in its normal form. */
export const sortNetworks = <T extends { value: string }>(networks: readonly T[]): SortedNetworks<T> =>
  networks.map((it) => ({ range: rangeOf('cidr', it.value)!, it })).sort((a, b) => byAddress(a.range, b.range))

const begins = (network: Range, ip: Range): boolean =>
  network.family < ip.family || (network.family === ip.family && network.first <= ip.first)

/**
 * Of each address, in its normal form, the networks that it is in: most specific first, at most 32. Addresses that are
 * in none are left out. One walk over both in order: networks are nested or apart, so those around a place are a stack.
 */
export function coveringNetworks<T>(ips: Iterable<string>, networks: SortedNetworks<T>): Map<string, T[]> {
  const found = new Map<string, T[]>()
  const open: RangeEntry<T>[] = []
  let next = 0
  const leave = (range: Range): void => {
    while (open.length > 0 && !contains(open.at(-1)!.range, range)) open.pop()
  }
  const sorted = Array.from(new Set(ips), (text) => ({ text, range: rangeOf('ip', text)! }))
  for (const { text, range } of sorted.sort((a, b) => byAddress(a.range, b.range))) {
    for (; next < networks.length && begins(networks[next]!.range, range); next++) {
      leave(networks[next]!.range)
      open.push(networks[next]!)
    }
    leave(range)
    if (open.length === 0) continue
    const inner = open.slice(-MAX_COVERING).reverse()
    found.set(
      text,
      inner.map((network) => network.it),
    )
  }
  return found
}
