/** Resolves after `ms`, or as soon as `signal` says so. */
export function passed(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = (): void => resolve()
  const timer = setTimeout(end, ms)
  signal.addEventListener('abort', end, { once: true })
  // Signals outlive pauses.
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  })
}
