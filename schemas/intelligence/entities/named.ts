/** Which entity a value names, without anything that browsers do not have. */

/** Type and value of an entity, the value in normal form. */
export type Named = { type: string; value: string }

const SINGLE = /^(?:([\d.]+)\/32|([0-9a-f.]*:[0-9a-f:.]*)\/128)$/i

/** The entity that a value in normal form names: a network of one address is that address. */
export function entityOf(type: string, value: string): Named {
  const single = type === 'cidr' ? SINGLE.exec(value) : null
  return single === null ? { type, value } : { type: 'ip', value: (single[1] ?? single[2]) as string }
}

/** The name in which the address was reported before as a network; an address in normal form. */
export const networkOfOne = (address: string): string => `${address}/${address.includes(':') ? 128 : 32}`
