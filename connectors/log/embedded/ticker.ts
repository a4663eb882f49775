/** What idle consumers of the embedded log wait for. */
export type Ticker = {
  /**
   * Resolves when there may be something new: after an append of this process or of another one, and after `withinMs`
   * (default and maximum: the poll interval of the moment) at the latest.
   */
  next(withinMs?: number): Promise<void>
  /** This process appended something: all waiters go on at once. */
  wake(): void
  /** The folder changed: all waiters go on, at most once in `GAP_MS`. */
  ring(): void
}

/** Under load the folder changes thousands of times a second; every wake reads each partition again. */
const GAP_MS = 5

/**
 * One timer for all waiters, none without waiters.
 * @param pollMs until the folder rang for the first time
 * @param provenMs from then on: changes of the folder are told of
 * @param refresh called before waiters go on: together they look once at what was written, not each for itself
 */
export function ticker(pollMs: number, provenMs = pollMs, refresh = (): void => undefined): Ticker {
  const waiting: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined
  let due = Number.POSITIVE_INFINITY
  let wokenAt = Number.NEGATIVE_INFINITY
  let latestMs = pollMs

  function wake(): void {
    clearTimeout(timer)
    due = Number.POSITIVE_INFINITY
    wokenAt = performance.now()
    if (waiting.length > 0) refresh()
    for (const resolve of waiting.splice(0)) resolve()
  }

  function wakeAt(time: number): void {
    if (time >= due) return
    due = time
    clearTimeout(timer)
    timer = setTimeout(wake, Math.max(0, time - performance.now()))
  }

  return {
    wake,
    next: (withinMs = latestMs) =>
      new Promise((resolve) => {
        waiting.push(resolve)
        wakeAt(performance.now() + Math.min(withinMs, latestMs))
      }),
    ring() {
      latestMs = provenMs
      if (waiting.length === 0) return
      if (performance.now() - wokenAt >= GAP_MS) wake()
      else wakeAt(wokenAt + GAP_MS)
    },
  }
}
