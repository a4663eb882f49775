/** A mix of selectors as teams have it, for benchmarks: the same for the same number. */

export const hash = (n: number): number => Math.imul(n ^ (n >>> 15), 0x2c1b3c6d) >>> 0
export const pick = <T>(list: readonly T[], n: number): T => list[hash(n) % list.length]!
export const octets = (n: number): string => `${(hash(n) % 200) + 11}.${hash(n + 1) % 256}.${hash(n + 2) % 256}`

/**
 * A mix as teams have it: some wide lists that everybody makes, and many that watch what is one's own: networks, names,
 * numbers, tags of a family, lists of values.
 */
const KINDS: readonly (readonly [share: number, of: (n: number) => object])[] = [
  [
    2,
    (n) => ({
      types: [pick(['ip', 'domain', 'url'], n)],
      reputation: { lte: -2 },
      accuracy: { gte: 2 },
      seenWithin: '30d',
    }),
  ],
  [28, (n) => ({ tags: { any: [`family-${n % 400}`, `actor-${n}`] }, reputation: { lte: -1 } })],
  [20, (n) => ({ value: { suffix: `team-${n}.example` } })],
  [20, (n) => ({ cidr: [`${octets(n)}.0/24`, `${octets(n * 7)}.0/22`], reputation: { lte: -1 } })],
  [12, (n) => ({ asn: [(n % 900) + 1000, n + 5000] })],
  [13, (n) => ({ value: { in: Array.from({ length: 50 }, (_, i) => `host-${n * 50 + i}.example.net`) } })],
  [
    5,
    (n) => ({ country: pick(['Peru', 'Chad', 'Kenya', 'France', 'Fiji'], n), types: ['ip'], reputation: { lte: -3 } }),
  ],
]
const slots = KINDS.flatMap(([share, of]) => Array.from({ length: share }, () => of))

/** The body of the `n`-th selector. */
export const mixedSelector = (n: number): object => slots[(n * 37) % slots.length]!(n)
