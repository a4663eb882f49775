/** A broker, or the client on its behalf, has not answered in time. The same request may succeed a moment later. */
export class LateBroker extends Error {
  readonly retriable = true
  constructor(what: string, ms: number) {
    super(`${what}: no answer within ${ms} ms`)
    this.name = 'LateBroker'
  }
}

/**
 * What `work` gives, or an error once `ms` milliseconds have passed: the client tries within tries, and what waits for its
 * locks has no end of its own. `work` itself goes on; its end is of no use to anybody then.
 * @throws LateBroker, or what `work` throws
 */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new LateBroker(what, ms)), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
