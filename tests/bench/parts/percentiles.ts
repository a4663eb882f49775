/** Prints how long something took. @param values milliseconds, at least one */
export function printPercentiles(name: string, values: readonly number[]): void {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(0)
  console.log(
    `${name.padEnd(34)} p50 ${at(0.5).padStart(5)} ms, p99 ${at(0.99).padStart(5)} ms, worst ${at(1).padStart(5)} ms`,
  )
}
