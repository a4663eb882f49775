import type { Tail } from './port.ts'

export type TailRun = {
  /** Aborted once the tail is stopped or has failed: nothing more may be handed over. */
  signal: AbortSignal
  /** Ends the tail with this error; the first one counts. */
  fail(error: unknown): void
}

/** A tail that is what `follow` does until it is stopped or fails; `follow` resolves once no batch runs any more. */
export function runTail(follow: (run: TailRun) => Promise<unknown>): Tail {
  const ending = new AbortController()
  let failure: { error: unknown } | undefined

  function fail(error: unknown): void {
    failure ??= { error }
    ending.abort()
  }

  async function run(): Promise<void> {
    await follow({ signal: ending.signal, fail }).catch(fail)
    if (failure !== undefined) throw failure.error
  }

  const closed = run()
  return {
    closed,
    async stop() {
      ending.abort()
      await closed.catch(() => undefined)
    },
  }
}
