/** The colour of a country, and of the text on it. The number says the same. */
export type Shade = { fill: string; ink: string }

const STEPS = [
  { step: 1, ink: '#1a1b1e' },
  { step: 3, ink: '#1a1b1e' },
  { step: 5, ink: '#1a1b1e' },
  { step: 8, ink: '#ffffff' },
  { step: 9, ink: '#ffffff' },
]

/** Five shades, from few to many: what is many stands out, in the light as darker and in the dark as lighter. */
export function shades(malicious: boolean): readonly Shade[] {
  const colour = (step: number) => `var(--mantine-color-${malicious ? 'red' : 'harrier'}-${step})`
  return STEPS.map(({ step, ink }, i) => {
    const inDark = STEPS.at(-1 - i)!
    return { fill: `light-dark(${colour(step)}, ${colour(inDark.step)})`, ink: `light-dark(${ink}, ${inDark.ink})` }
  })
}

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
