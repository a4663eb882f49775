/** Resolves when this process is signalled to stop: SIGTERM, SIGINT, or the end of the parent that started it. */
export function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
    const orphaned = (): void => resolve('the parent process ended')
    process.once('disconnect', orphaned)
    // While this process was starting: the event has passed. Undefined without a parent that speaks to it.
    if (process.connected === false) orphaned()
  })
}
