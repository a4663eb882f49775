/** Resolves when this process is signalled to stop: SIGTERM, SIGINT, or the end of the parent that started it. */
export function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
    process.once('disconnect', () => resolve('the parent process ended'))
  })
}
