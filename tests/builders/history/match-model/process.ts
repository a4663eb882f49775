/** The job that matches as it runs in a process that may fail and die at every write. */

import type { Batch } from '../../../../connectors/log/port.ts'
import { matchJob } from '../../../../pipelines/jobs/match/match-job.ts'
import type { MatchPorts } from '../../../../pipelines/jobs/match/ports.ts'
import type { Write } from './store.ts'

/** At a write: nothing, an error of the store, or the end of the process; before or after the write takes effect. */
export type Fate = { does: 'go' } | { does: 'fail' | 'die'; after: number }

export class Dead extends Error {}

/**
 * @param fateOf asked at every write
 * @param portsOf of one process, which writes by `write`
 * @param takesTime how long a write is under way
 */
export function processes(
  fateOf: () => Fate,
  portsOf: (write: Write) => MatchPorts,
  now: () => number,
  takesTime: () => Promise<void>,
) {
  let begun = begin()

  function begin() {
    const ending = new AbortController()
    const write: Write = async (name, ...tables) => {
      if (ending.signal.aborted) throw new Dead(name)
      await takesTime()
      if (ending.signal.aborted) throw new Dead(name)
      const fate = fateOf()
      for (const [n, work] of tables.entries()) {
        if (fate.does !== 'go' && fate.after === n) break
        work()
      }
      if (fate.does === 'die') ending.abort()
      if (fate.does !== 'go') throw fate.does === 'die' ? new Dead(name) : new Error(`${name} failed`)
    }
    const waiting = new Set<() => void>()
    const wake = (): void => {
      for (const go of waiting) go()
      waiting.clear()
    }
    ending.signal.addEventListener('abort', wake)
    const job = matchJob(portsOf(write), {
      now,
      // Only who waits for settings waits until it is woken.
      pause: (ms) =>
        ms > 500
          ? Promise.resolve()
          : new Promise((resolve) => (ending.signal.aborted ? resolve() : waiting.add(resolve))),
      signal: ending.signal,
      idBitsLog2: 14,
      report: () => undefined,
      onFailure: (_, error) => {
        if (!(error instanceof Error) || !/failed$/.test(error.message)) failures.push(error)
      },
    })
    return { job, ending, wake }
  }
  const failures: unknown[] = []

  /** The process that ended, while another one begins. */
  let ended: { of: typeof begun; done: Promise<void> } | null = null

  function restart(of = begun): Promise<void> {
    if (ended?.of === of) return ended.done
    of.ending.abort()
    const done = of.job.stopped().then(() => {
      begun = begin()
    })
    ended = { of, done }
    return done
  }

  return {
    failures,
    wake: () => begun.wake(),
    dead: () => begun.ending.signal.aborted,
    restart: () => restart(),
    /** @returns whether the batch was done; else the process has ended, and another one runs */
    async deliver(batch: Omit<Batch, 'signal'>): Promise<boolean> {
      const mine = begun
      const { job, ending } = mine
      try {
        const handed = { ...batch, signal: ending.signal }
        if (batch.redelivered || !(await job.skips(handed))) await job.eachBatch(handed)
        return true
      } catch (error) {
        if (!ending.signal.aborted) throw error
        await restart(mine)
        return false
      }
    },
    stop: async () => {
      begun.ending.abort()
      await begun.job.stopped()
    },
  }
}
