import { ApiError } from '../../http/errors.ts'

export type TurnBounds = {
  /** Pieces of work that run at once in this process; of one caller never more than one. */
  atOnce: number
  /** That wait for their turn, in all and of one caller. */
  waiting: number
  waitingOfOne: number
}

export type Turns = {
  /**
   * Runs the work when it is its turn. Throws ApiError `busy` when too many wait already, or the reason of `signal`,
   * which gives up the place in the queue.
   */
  use<T>(work: () => Promise<T>, caller: string, signal: AbortSignal): Promise<T>
}

/** First come, first served among callers without a running search, so that one caller cannot take every turn. */
export function turns({ atOnce, waiting, waitingOfOne }: TurnBounds): Turns {
  // While a turn is free, everything that waits is of callers in here.
  const running = new Set<string>()
  const queue = new Set<{ caller: string; begin: () => void }>()

  const turn = (caller: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const place = {
        caller,
        begin: (): void => {
          queue.delete(place)
          signal.removeEventListener('abort', leave)
          running.add(caller)
          resolve()
        },
      }
      const leave = (): void => {
        queue.delete(place)
        reject(signal.reason)
      }
      queue.add(place)
      signal.addEventListener('abort', leave, { once: true })
    })

  const next = () => [...queue].find((place) => !running.has(place.caller))

  return {
    async use(work, caller, signal) {
      signal.throwIfAborted()
      if (running.size >= atOnce || running.has(caller)) {
        const own = [...queue].filter((place) => place.caller === caller).length
        if (queue.size >= waiting || own >= waitingOfOne) throw new ApiError('busy')
        await turn(caller, signal)
      } else running.add(caller)
      try {
        return await work()
      } finally {
        running.delete(caller)
        next()?.begin()
      }
    },
  }
}
