export type Decided = { done: number; of: number; faults: readonly { id: string; reason: string }[] }

/** At the same time: a verdict is a record of the log, which takes a moment. */
const AT_ONCE = 4

/**
 * Gives a verdict on one entity after the other, a few at a time. What one is refused with does not stop the others.
 * @param give rejects with what is refused
 * @param reasonOf what a rejection says
 * @param signal aborts: what has not begun is left
 * @param told after each
 */
export async function decideEach(
  ids: readonly string[],
  give: (id: string) => Promise<unknown>,
  reasonOf: (error: unknown) => string,
  signal: AbortSignal,
  told: (so: Decided) => void,
): Promise<Decided> {
  const faults: { id: string; reason: string }[] = []
  let [next, done] = [0, 0]
  const report = (): Decided => ({ done, of: ids.length, faults: [...faults] })
  const work = async (): Promise<void> => {
    while (next < ids.length && !signal.aborted) {
      const id = ids[next++]!
      try {
        await give(id)
      } catch (error) {
        faults.push({ id, reason: reasonOf(error) })
      }
      done++
      told(report())
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, ids.length) }, work))
  return report()
}
