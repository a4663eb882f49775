/** A sum in two floats: what the additions to the first have lost stands in the second. */
export type Sum = { high: number; low: number }

export const sum = (): Sum => ({ high: 0, low: 0 })

/**
 * Adds a number, of either sign, to a sum. Of any number of additions the loss stays below that of a single plain one,
 * where plain additions lose in proportion to how many they are (Knuth, TAOCP 4.2.2, theorem B).
 */
export function addTo(to: Sum, x: number): void {
  const plain = to.high + x
  const virtual = plain - to.high
  const low = to.low + (to.high - (plain - virtual) + (x - virtual))
  to.high = plain + low
  to.low = low - (to.high - plain)
}

/** The sum of what `of` gives for each of the items, nearly as if it were rounded once. */
export function sumBy<T>(items: readonly T[], of: (item: T) => number): number {
  const all = sum()
  for (const item of items) addTo(all, of(item))
  return all.high
}
