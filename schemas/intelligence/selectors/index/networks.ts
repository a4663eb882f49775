import type { Network } from '../../compare/compare-networks.ts'
import type { TypedValue } from '../../propagation/coverage.ts'
import { rangeOf } from '../../propagation/range.ts'
import { byLength } from './by-length.ts'

/** The first bits of an IPv4 address, as a signed number of 32 bits: small numbers make the fastest keys. */
const first4 = (address: number, bits: number): number => (bits === 0 ? 0 : address & (-1 << (32 - bits)))

/** The first address of a network of so many bits around an address of IPv6, 32 hexadecimal digits. */
function first6(digits: string, bits: number): string {
  const whole = bits >> 2
  if (whole === digits.length) return digits
  const part = Number.parseInt(digits[whole]!, 16) & (0xf0 >> (bits & 3))
  return digits.slice(0, whole) + part.toString(16) + '0'.repeat(digits.length - whole - 1)
}

/** Ids by networks, found by the address or the network that is inside. */
export type NetworkDrawer<Id> = {
  add(network: Network, id: Id): void
  remove(network: Network, id: Id): void
  find(entity: TypedValue, found: Id[]): void
}

/** A network is filed under its length: a look cuts one beginning out of the address for each length in use. */
export function networkDrawer<Id>(): NetworkDrawer<Id> {
  const [short, long] = [byLength<number, Id>(), byLength<string, Id>()]
  const change =
    (how: 'add' | 'remove'): NetworkDrawer<Id>['add'] =>
    ({ range, bits }, id) => {
      if (typeof range.first === 'number') short[how](bits, first4(range.first, bits), id)
      else long[how](bits, range.first, id)
    }
  return {
    add: change('add'),
    remove: change('remove'),
    find({ type, value }, found) {
      if (short.used.length + long.used.length === 0) return
      const range = rangeOf(type, value)
      if (range === null) return
      const { first } = range
      const most = type === 'ip' ? 128 : Number(value.slice(value.lastIndexOf('/') + 1))
      if (typeof first === 'number') {
        for (const { length, drawer } of short.used) if (length <= most) drawer.find(first4(first, length), found)
      } else for (const { length, drawer } of long.used) if (length <= most) drawer.find(first6(first, length), found)
    },
  }
}
