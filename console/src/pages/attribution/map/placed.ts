import { formatCount } from '../../../parts/format/numbers.ts'
import { codeOf } from './countries.ts'
import { type Shade, shadeOf, shades } from './shades.ts'

/** A country that has a number. */
export type Placed = { count: number; title: string; link: string; shade: Shade }

/**
 * Countries with a number, by code; what is no country is left out.
 * @param linkTo the search that explains the count of a country
 */
export function placedOf(
  buckets: readonly { key: string; count: number }[],
  malicious: boolean,
  linkTo: (country: string) => string,
): ReadonlyMap<string, Placed> {
  const shade = shades(malicious)
  const largest = Math.max(1, ...buckets.map(({ count }) => count))
  return new Map(
    buckets.flatMap(({ key, count }) => {
      const code = codeOf(key)
      if (code === undefined) return []
      const title = `${key}: ${formatCount(count)} ${count === 1 ? 'entity' : 'entities'}`
      return [[code, { count, title, link: linkTo(key), shade: shade[shadeOf(count, largest)]! }]]
    }),
  )
}
