/**
 * Sends heartbeats while `work` runs; nothing else sends them meanwhile. The first one that fails aborts the work.
 * @returns the error of that heartbeat, once the work has ended; undefined when none failed
 */
export async function withHeartbeats(
  heartbeat: () => Promise<void>,
  everyMs: number,
  abort: AbortController,
  work: () => Promise<void>,
): Promise<{ error: unknown } | undefined> {
  let lost: { error: unknown } | undefined
  const timer = setInterval(() => {
    heartbeat().catch((error) => {
      lost ??= { error }
      clearInterval(timer)
      abort.abort()
    })
  }, everyMs)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return lost
}
