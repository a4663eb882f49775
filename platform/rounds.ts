import { pause as pauseFor } from './pause.ts'

export type RoundsOptions = {
  /** One round of work. Resolves to how long the next one waits to be woken, milliseconds; 0: it follows at once. */
  round: () => Promise<number>
  onFailure: (error: Error) => void
  /** The pause after a failed round, milliseconds: twice as long after each further one, `maxPauseMs` at most. */
  failedMs: number
  maxPauseMs: number
  /** Resolves after so many milliseconds, or once the signal is aborted. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

export type Rounds = {
  /** There may be work: the next round begins at once. Kept while a round runs; a pause after a failure is not cut short. */
  wake(): void
  /** Resolves once the round at hand has ended; none follows. */
  stop(): Promise<void>
}

/**
 * Runs rounds, one after another, until stopped: the next one begins when it is woken or when its wait is over (ADR
 * 189). Whatever appears while a round runs is found by the next one, if its appearance wakes.
 */
export function startRounds({ round, onFailure, failedMs, maxPauseMs, pause = pauseFor }: RoundsOptions): Rounds {
  const stopping = new AbortController()
  let bell = new AbortController()

  async function run(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      // Before the round: what wakes meanwhile ends the wait that follows.
      bell = new AbortController()
      const rung = bell.signal
      try {
        const waitMs = await round()
        failures = 0
        if (!stopping.signal.aborted) await pause(waitMs, rung)
      } catch (error) {
        onFailure(error as Error)
        const waitMs = Math.min(failedMs * 2 ** ++failures, maxPauseMs)
        if (!stopping.signal.aborted) await pause(waitMs, stopping.signal)
      }
    }
  }

  const running = run()
  return {
    wake: () => bell.abort(),
    async stop() {
      stopping.abort()
      bell.abort()
      await running
    },
  }
}
