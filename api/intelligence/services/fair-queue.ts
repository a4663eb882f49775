import { ApiError } from '../../http/errors.ts'

export type QueueBounds = {
  /** Pieces of work that run at once in this process. */
  atOnce: number
  /** Of them those of one caller; it has more than one only while no other caller waits. */
  atOnceOfOne: number
  /** Longest wait for a turn, in milliseconds. */
  waitMs: number
  /** That wait for their turn, in all and of one caller: each holds what it was asked with. */
  waiting: number
  waitingOfOne: number
}

export type FairQueue = {
  /**
   * Runs the work when it is its turn. Throws ApiError when the turn does not come in time or too many wait already:
   * `rate_limited` (429) for a caller that waits behind work of its own, `busy` (503) for one that waits behind others.
   * Throws the reason of `signal`, which gives up the place in the queue.
   */
  use<T>(work: () => Promise<T>, caller: string, signal: AbortSignal): Promise<T>
}

type Place = { caller: string; begin: () => void }

/**
 * First come, first served among the callers with the least that runs, so that one caller takes every turn only as long as
 * nobody else wants one (ADR 272).
 */
export function fairQueue({ atOnce, atOnceOfOne, waitMs, waiting, waitingOfOne }: QueueBounds): FairQueue {
  const running = new Map<string, number>()
  let all = 0
  const queue = new Set<Place>()

  const of = (caller: string): number => running.get(caller) ?? 0

  function begin(caller: string): void {
    running.set(caller, of(caller) + 1)
    all++
  }

  function end(caller: string): void {
    const left = of(caller) - 1
    if (left === 0) running.delete(caller)
    else running.set(caller, left)
    all--
    next()?.begin()
  }

  /** Who may begin now; undefined when nobody who waits may. */
  function next(): Place | undefined {
    if (all >= atOnce) return undefined
    let found: Place | undefined
    for (const place of queue) {
      const has = of(place.caller)
      if (has < atOnceOfOne && (found === undefined || has < of(found.caller))) found = place
      if (has === 0) break
    }
    return found
  }

  function tooMany(caller: string): ApiError | null {
    let own = 0
    for (const place of queue) if (place.caller === caller) own++
    if (own >= waitingOfOne) return ownQueue()
    return queue.size >= waiting ? new ApiError('busy') : null
  }

  const turn = (caller: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (reason: unknown): void => {
        queue.delete(place)
        clearTimeout(timer)
        signal.removeEventListener('abort', gone)
        reject(reason)
      }
      const gone = (): void => leave(signal.reason)
      const place: Place = {
        caller,
        begin(): void {
          queue.delete(place)
          clearTimeout(timer)
          signal.removeEventListener('abort', gone)
          begin(caller)
          resolve()
        },
      }
      const timer = setTimeout(() => leave(of(caller) > 0 ? ownQueue() : new ApiError('busy')), waitMs)
      queue.add(place)
      signal.addEventListener('abort', gone, { once: true })
    })

  return {
    async use(work, caller, signal) {
      signal.throwIfAborted()
      if (all < atOnce && of(caller) < atOnceOfOne) begin(caller)
      else {
        const refused = tooMany(caller)
        if (refused !== null) throw refused
        await turn(caller, signal)
      }
      try {
        return await work()
      } finally {
        end(caller)
      }
    },
  }
}

const ownQueue = (): ApiError =>
  new ApiError('rate_limited', { message: 'your earlier requests of this kind are still in progress', retryAfter: 1 })
