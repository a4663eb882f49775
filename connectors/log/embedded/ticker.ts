export type Ticker = {
  /** Resolves at the next look-around: at once after an append of this process, else after the poll interval. */
  next(): Promise<void>
  wake(): void
}

/**
 * What idle consumers wait for. An append of this process wakes them; those of other processes are found by looking
 * again every `pollMs`. One timer for all waiters, none without waiters.
 */
export function ticker(pollMs: number): Ticker {
  const waiting: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined

  function wake(): void {
    clearTimeout(timer)
    timer = undefined
    for (const resolve of waiting.splice(0)) resolve()
  }

  return {
    wake,
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        timer ??= setTimeout(wake, pollMs)
      }),
  }
}
