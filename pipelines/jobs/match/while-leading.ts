/**
 * The same calls, until the signal is aborted: a process that was stopped for a while and wakes up behind another one that
 * leads by then begins no further write. What it has under way already is dropped by its token, or says the same.
 */
export function whileLeading<Calls extends object>(calls: Calls, signal: AbortSignal): Calls {
  return new Proxy(calls, {
    get(of, name) {
      const call: unknown = Reflect.get(of, name)
      if (typeof call !== 'function') return call
      return (...given: unknown[]): unknown => {
        signal.throwIfAborted()
        return Reflect.apply(call, of, given)
      }
    },
  })
}
