import type { FeedStore, FeedWrite, NewList } from '../../../connectors/history/feeds-out/port.ts'

/** The lists as the process writes them that keeps them. */
export type KeptLists = Omit<FeedStore, 'claim' | 'isLast' | 'write'> & {
  /** Takes the lists over; what is read from then on is what this process goes on from. */
  claim(least: bigint): Promise<bigint>
  /**
   * As that of the store.
   * @throws Error when another process has taken the lists over, and when nobody knows whether it was stored
   */
  write(writes: readonly FeedWrite[], version: bigint): Promise<void>
}

/**
 * Writes follow each other: each names the one before it, and of two that follow the same the store takes one. So a process
 * that was stopped, or whose write comes late, cannot add to what its successor made of the lists (ADR 274).
 * @param lost after a write that did not happen, or of which nobody knows: what the process knows of the lists is void
 */
export function keptLists(store: FeedStore, lost: () => void): KeptLists {
  let last = 0n

  /** After a failure nobody knows what was stored. */
  async function orLost<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      lost()
      throw error
    }
  }

  function must(happens: boolean): void {
    if (!happens) throw new Error('another process has taken over the lists of feeds')
  }

  return {
    ...store,
    async claim(least) {
      last = await store.claim(least)
      return last
    },
    write: (writes, version) =>
      orLost(async () => {
        must(await store.write(writes, version, last))
        last = version
      }),
    // What no head names is a leftover only as long as no other process makes lists.
    async epochs() {
      const found = await store.epochs()
      must(await store.isLast(last))
      return found
    },
    // Its deltas have no token, as they are many blocks. What is left of an attempt gives way to what follows a claim.
    compare: (list: NewList, old: number, sequence: number, version: bigint) =>
      orLost(async () => {
        must(await store.isLast(last))
        return store.compare(list, old, sequence, version)
      }),
  }
}
