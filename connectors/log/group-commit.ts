export type GroupCommitOptions<T> = {
  /**
   * Stores the items of several callers at once; what it throws is what each of those callers gets. `take`, to be called
   * once, gives the items in the order they came: the later the call, the more callers share the cost. `waiting` is how
   * many bytes wait at the start.
   */
  commit: (take: () => T[], waiting: number) => Promise<void>
  /** Bytes of one commit (one item may be larger), and bytes that may wait before callers do. */
  maxCommit: number
  maxWaiting: number
  /** While one commit runs, a second is begun only for at least this many bytes; never a third. */
  overlapFrom: number
}

type QueuedItem<T> = { item: T; bytes: number; resolve: () => void; reject: (error: unknown) => void }

/**
 * Group commit: items that arrive while a commit runs are stored together by the next one, in the order they came.
 * A caller waits before its item is taken in when too many bytes are waiting already (ADR 267).
 */
export function groupCommit<T>({ commit, maxCommit, maxWaiting, overlapFrom }: GroupCommitOptions<T>) {
  const queue: QueuedItem<T>[] = []
  let queued = 0
  let unanswered = 0
  let running = 0
  const room: (() => void)[] = []

  function drain(): void {
    while (queue.length > 0 && (running === 0 || (running === 1 && queued >= overlapFrom))) void store()
  }

  function next(): QueuedItem<T>[] {
    let bytes = 0
    let count = 0
    while (count < queue.length && (count === 0 || bytes + queue[count]!.bytes <= maxCommit))
      bytes += queue[count++]!.bytes
    queued -= bytes
    return queue.splice(0, count)
  }

  async function store(): Promise<void> {
    running++
    let group: QueuedItem<T>[] | undefined
    const take = () => {
      group = next()
      return group.map(({ item }) => item)
    }
    try {
      await commit(take, queued)
      for (const { resolve } of group ?? []) resolve()
    } catch (error) {
      group ??= next()
      for (const { reject } of group) reject(error)
    } finally {
      running--
      for (const { bytes } of group ?? []) unanswered -= bytes
      for (const wake of room.splice(0)) wake()
      drain()
    }
  }

  return async (item: T, bytes: number): Promise<void> => {
    while (unanswered > 0 && unanswered + bytes > maxWaiting) await new Promise<void>((resolve) => room.push(resolve))
    unanswered += bytes
    queued += bytes
    await new Promise<void>((resolve, reject) => {
      queue.push({ item, bytes, resolve, reject })
      // After the current turn: whatever else it sends goes along.
      queueMicrotask(drain)
    })
  }
}
