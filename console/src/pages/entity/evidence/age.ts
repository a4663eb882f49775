const UNITS: [name: string, seconds: number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
]

/** An age in its largest unit, rounded down: `12 d`. */
export function formatAge(seconds: number): string {
  const [name, size] = UNITS.find(([, size]) => seconds >= size) ?? UNITS.at(-1)!
  return `${Math.floor(seconds / size)} ${name}`
}
