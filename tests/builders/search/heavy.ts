/** The heaviest searches that are permitted, each with the surface that it is asked of (`''`: current entities). */

const many = <T>(n: number, of: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => of(i))

const LISTED = ['country', 'text', 'aso', 'city', 'port', 'ip', 'domain', 'url', '*'].map(
  (name) => `attributes.${name}`,
)

const wildcards = { query: { should: many(500, (i) => ({ wildcard: { 'attributes.text': `*${i}*x` } })) } }
const lists = {
  query: {
    should: [...LISTED, 'tags', 'type', 'id', 'entityID'].map((field) => ({
      terms: { [field]: many(9_000, (i) => `v${i}`) },
    })),
  },
}
const fuzzy = { query: { must: [{ fuzzy: { 'attributes.*': { value: 'malwarefamily', fuzziness: 2 } } }] } }

/** Refused at once. */
export const tooHeavy = { query: { should: many(900, (i) => ({ wildcard: { 'attributes.*': `*${i}*x` } })) } }

export const heavySearches: readonly [surface: '' | '/history', body: object][] = [
  ['/history', wildcards],
  ['/history', lists],
  ['', wildcards],
  ['', lists],
  ['/history', fuzzy],
]
