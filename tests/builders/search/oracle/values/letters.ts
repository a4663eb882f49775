/** Wildcards, patterns and distances, each in the plainest way there is. */

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** `*`, `?` and `\` of a wildcard as a pattern. */
export const wildcardPattern = (text: string): string =>
  [...text.matchAll(/\\.|[\s\S]/gu)]
    .map(([one]) => {
      if (one === '*') return '.*'
      if (one === '?') return '.'
      return literal(one.length > 1 && one.startsWith('\\') ? one.slice(1) : one)
    })
    .join('')

/** From the first to the last character. Patterns are such as mean the same here and in RE2. */
export const matches = (pattern: string, text: string, caseless: boolean): boolean =>
  new RegExp(`^(?:${pattern})$`, caseless ? 'isu' : 'su').test(text)

export function distance(one: string, other: string): number {
  const [a, b] = [[...one], [...other]]
  let row = b.map((_, j) => j + 1)
  row.unshift(0)
  for (const [i, x] of a.entries()) {
    const next = [i + 1]
    for (const [j, y] of b.entries()) next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (x === y ? 0 : 1)))
    row = next
  }
  return row.at(-1)!
}

/** At most so many edits away, behind an equal beginning; long texts have to be equal. */
export function near(sought: string, text: string, edits: number, prefixLength: number): boolean {
  const points = [...sought]
  if (points.length > 128) return sought === text
  return text.startsWith(points.slice(0, prefixLength).join('')) && distance(sought, text) <= edits
}

export function editsOf(fuzziness: unknown, text: string): number {
  if (fuzziness !== undefined && String(fuzziness).toUpperCase() !== 'AUTO') return Number(fuzziness)
  const { length } = [...text]
  return length <= 2 ? 0 : length <= 5 ? 1 : 2
}
