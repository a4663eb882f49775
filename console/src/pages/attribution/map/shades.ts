/** How dark a tile is, and the text on it. The number on the tile says the same. */
export type Shade = { fill: string; ink: string }

const INK = ['#1a1b1e', '#1a1b1e', '#1a1b1e', '#ffffff', '#ffffff']
const STEPS = [1, 3, 5, 8, 9]

/** Five shades, from few to many. */
export const shades = (malicious: boolean): readonly Shade[] =>
  STEPS.map((step, i) => ({ fill: `var(--mantine-color-${malicious ? 'red' : 'harrier'}-${step})`, ink: INK[i]! }))

/** The shade of a count: a fifth of the way to the largest one, on a scale of powers, is one shade. */
export function shadeOf(count: number, largest: number): number {
  if (largest <= 1) return STEPS.length - 1
  const part = Math.log(count) / Math.log(largest)
  return Math.max(0, Math.min(STEPS.length - 1, Math.floor(part * STEPS.length)))
}

/** A number of at most four characters: `12`, `3.4k`, `12k`, `2M`. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(count)
  for (const [unit, letter] of [
    [1_000, 'k'],
    [1_000_000, 'M'],
    [1_000_000_000, 'G'],
  ] as const) {
    const n = count / unit
    if (n < 9.95) return `${n.toFixed(1).replace('.0', '')}${letter}`
    if (n < 999.5) return `${Math.round(n)}${letter}`
  }
  return '>1T'
}
