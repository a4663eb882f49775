/**
 * Pauses of `node:timers/promises` over the global `setTimeout`, which fake timers replace. For
 * `vi.mock('node:timers/promises', () => import('.../faked-pauses.ts'))`.
 */
function pauseFor<T>(ms: number, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T | undefined> {
  if (signal?.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    const timer = globalThis.setTimeout(() => resolve(value), ms)
    const stop = (): void => {
      globalThis.clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}

export { pauseFor as setTimeout }
