import { pointOf } from '../../../../../schemas/intelligence/compare/points.ts'

/** Rules that are chosen by who asks or by the name servers of a name. */
export const OTHER_TRIGGERS = /\.rpz-(?:client-ip|nsip|nsdname)$/i

/**
 * The network of a name below `rpz-ip`: the length of the prefix, then the parts of the address from the last to the
 * first; `zz` is `::`. Null when it is none.
 */
export function addressOfOwner(owner: string): string | null {
  const [prefix = '', ...parts] = owner.toLowerCase().split('.').slice(0, -1)
  if (!/^\d{1,3}$/.test(prefix)) return null
  const isShort = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part))
  const address = isShort
    ? parts.reverse().join('.')
    : parts
        .reverse()
        .join(':')
        .replace(/:?\bzz\b:?/, '::')
  const point = pointOf(address)
  return point === null || Number(prefix) > point.bits ? null : `${address}/${prefix}`
}
