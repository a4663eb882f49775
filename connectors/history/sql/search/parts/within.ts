import type { Network } from '../../../../../schemas/intelligence/compare/networks.ts'
import type { Clause } from '../../../../../schemas/intelligence/search/clause.ts'
import type { At } from '../field-tests.ts'
import { attributeText } from '../value.ts'

/**
 * An address in one of the networks, or a network inside one: the first bits of the address, as many as a network has, are
 * those of the network. One look into a set for each length that a network has, however many networks there are.
 */
export function within({ field, networks }: Extract<Clause, { is: 'within' }>, at: At): string {
  const { surface, b } = at
  if (field.name === 'attribute') return inOneOf(networks, attributeText(field.attribute, surface, b), null, at)
  const { type, value } = surface.columns
  const long = `toUInt8OrZero(substring(${value}, position(${value}, '/') + 1))`
  return `multiIf(${type} = 'ip', ${inOneOf(networks, value, null, at)},
    ${type} = 'cidr', ${inOneOf(networks, `substringIndex(${value}, '/', 1)`, long, at)}, 0)`
}

/** @param long bits of the network that begins at the address; null for a single address */
function inOneOf(networks: readonly Network[], address: string, long: string | null, { b }: At): string {
  const family = (of: 4 | 6, first: (bits: number) => string, type: string): string[] =>
    [...Map.groupBy(networks, ({ range, bits }) => (range.family === of ? bits : -1))]
      .filter(([bits]) => bits >= 0)
      .map(([bits, list]) => {
        const firsts = b.bind([...new Set(list.map(({ range }) => range.first))], `Array(${type})`)
        return `(${long === null ? '' : `${long} >= ${bits} AND `}${first(bits)} IN ${firsts})`
      })
  const short = family(4, (bits) => `bitAnd(IPv4StringToNumOrDefault(${address}), ${mask(bits)})`, 'UInt32')
  const wide = family(6, (bits) => `lower(hex(IPv6CIDRToRange(toIPv6OrDefault(${address}), ${bits}).1))`, 'String')
  const colon = `position(${address}, ':')`
  const tests = [
    ...(short.length === 0 ? [] : [`(${address} != '' AND ${colon} = 0 AND (${short.join(' OR ')}))`]),
    ...(wide.length === 0 ? [] : [`(${colon} > 0 AND (${wide.join(' OR ')}))`]),
  ]
  return tests.length === 0 ? '0' : `(${tests.join(' OR ')})`
}

/** Its first bits set, of 32. */
const mask = (bits: number): number => 2 ** 32 - 2 ** (32 - bits)
