import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Tail, TailBatch } from '../port.ts'
import { runTail } from './run.ts'

export type TailLook = {
  /**
   * What a partition has from an offset on, within the bounds; without records where compaction left none up to `to`. Null:
   * nothing yet. Throws OffsetGone.
   */
  look(partition: number, from: number): TailBatch | null
  /** Resolves when there may be something new. */
  next(): Promise<void>
  /** Ends the waits. */
  wake(): void
}

/**
 * A tail of a log that this process can look into at once. `tail` has returned before the first batch.
 * @param starts the next offset to read of every partition
 */
export function tailByLooking(
  starts: ReadonlyMap<number, number>,
  { look, next, wake }: TailLook,
  eachBatch: (batch: TailBatch) => Promise<void> | void,
): Tail {
  return runTail(async ({ signal, fail }) => {
    signal.addEventListener('abort', wake)
    await Promise.all([...starts].map(([partition, from]) => follow(partition, from, signal).catch(fail)))
  })

  async function follow(partition: number, from: number, signal: AbortSignal): Promise<void> {
    for (let at = from; ; ) {
      // Looking takes no turn of the event loop: without this one nothing else would run while there is much to read.
      await nextTurn()
      if (signal.aborted) return
      const batch = look(partition, at)
      if (batch === null) await next()
      else {
        if (batch.messages.length > 0) await eachBatch(batch)
        at = batch.to
      }
    }
  }
}
