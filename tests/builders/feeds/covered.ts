import ipaddr from 'ipaddr.js'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'

/** What a format may leave out because the list says it already: computed by comparing every value with every other. */

/** Values, each once, but those with another one above them. */
const withoutCovered = (values: readonly string[], isAbove: (wide: string, narrow: string) => boolean): string[] => {
  const distinct = [...new Set(values)]
  return distinct.filter((value) => !distinct.some((other) => other !== value && isAbove(other, value)))
}

/** Names that are below no other name. */
export const highestNames = (values: readonly string[]): string[] =>
  withoutCovered(values, (wide, narrow) => narrow.endsWith(`.${wide}`))

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

const rangeOf = (value: string): Range => {
  if (value.includes('/')) return ipaddr.parseCIDR(value)
  const address = ipaddr.parse(value)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

const contains = ([wide, bits]: Range, [narrow, longer]: Range): boolean =>
  wide.kind() === narrow.kind() && bits <= longer && narrow.match(wide, bits)

/** Networks, as text without `/32` and `/128`, that are in no other network. */
export const widestNetworks = (values: readonly string[]): string[] => {
  const plain = values.map((value) => value.replace(value.includes(':') ? /\/128$/ : /\/32$/, ''))
  const ranges = new Map(plain.map((value) => [value, rangeOf(value)]))
  return withoutCovered(plain, (wide, narrow) => contains(ranges.get(wide)!, ranges.get(narrow)!))
}

/** The item of the narrowest network with an address; null without one. */
export function narrowest(items: readonly FeedItem[], address: string): FeedItem | null {
  const one = rangeOf(address)
  let found: FeedItem | null = null
  for (const item of items) {
    const range = rangeOf(item.value)
    if (contains(range, one) && (found === null || range[1] > rangeOf(found.value)[1])) found = item
  }
  return found
}
