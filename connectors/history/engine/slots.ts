import { tooMany } from './statement/refused.ts'

export type Slots = {
  /** Runs `work` when a slot is free. @throws Refused TOO_MANY_SIMULTANEOUS_QUERIES when the queue is full */
  use<T>(work: () => Promise<T>): Promise<T>
  readonly busy: number
}

/** At most `size` at once, at most `queue` waiting, first come, first served. */
export const slots = (size: number, queue: number): Slots => {
  let busy = 0
  const waiting: (() => void)[] = []
  return {
    get busy() {
      return busy
    },
    async use(work) {
      if (busy >= size) {
        if (waiting.length >= queue)
          throw tooMany(`too many queries: ${busy} running, ${waiting.length} waiting; retry later`)
        // The one that ends hands its slot over, so `busy` does not change.
        await new Promise<void>((resolve) => waiting.push(resolve))
      } else busy++
      try {
        return await work()
      } finally {
        const nextInLine = waiting.shift()
        if (nextInLine) nextInLine()
        else busy--
      }
    },
  }
}
