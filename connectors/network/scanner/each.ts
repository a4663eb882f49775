/** Runs `work` on every item, at most `limit` at a time; the results are in the order of the items. */
export async function each<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const outcomes: R[] = new Array(items.length)
  const left = items.entries()
  const worker = async (): Promise<void> => {
    for (const [i, item] of left) outcomes[i] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return outcomes
}
