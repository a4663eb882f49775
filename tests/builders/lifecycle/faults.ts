/** Faults at the n-th moment between two steps of whatever is armed: the process dies there, or the one step fails. */

import { Died } from '../platform/fault.ts'
import type { Fault } from './histories.ts'

const FAILED = 'this step failed'
export const PROVIDER_DOWN = 'the provider is down'

/** Failures of one event before it would be given up; a history stays below. */
const MAX_FAILURES = 3

export function lifecycleFaults() {
  let armed: Fault | null = null
  let down = false
  let failures = 0
  const happened = { died: 0, failed: 0 }

  return {
    happened,
    arm(fault: Fault | null): void {
      armed = fault === null ? null : { ...fault }
      down = false
    },
    /** False: there were as many failures as an event survives. */
    mayFail: () => failures++ < MAX_FAILURES,
    point(name: string): void {
      // Nothing that the dead do afterwards has an effect.
      if (down) throw new Died(name)
      if (armed === null || armed.at-- > 0) return
      const { dies } = armed
      armed = null
      if (!dies && failures++ < MAX_FAILURES) {
        happened.failed++
        throw new Error(FAILED)
      }
      happened.died++
      down = true
      throw new Died(name)
    },
    /** Runs what may die or fail. False: it did. */
    async survives(work: () => Promise<unknown>): Promise<boolean> {
      try {
        await work()
        return true
      } catch (error) {
        if (!isFault((error as Error).message)) throw error
        return false
      } finally {
        armed = null
        down = false
      }
    },
  }
}

export const isFault = (message: string): boolean => /(^|: )(died |this step failed|the provider is down)/.test(message)
