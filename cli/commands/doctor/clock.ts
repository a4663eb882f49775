import { setTimeout as sleep } from 'node:timers/promises'
import { type Check, ok, warn } from './finding.ts'

const LOOK_MS = 500
const MAX_STEP_MS = 50

/** Checks that the wall clock advances as fast as the monotonic clock. */
export const clockCheck = (now: () => number = Date.now, monotonic: () => number = () => performance.now()): Check => ({
  name: 'clock',
  todo: 'check the clock of this machine',
  async run() {
    const [wall, steady] = [now(), monotonic()]
    await sleep(LOOK_MS)
    const step = now() - wall - (monotonic() - steady)
    if (Math.abs(step) <= MAX_STEP_MS) return [ok('the clock of this machine is steady')]
    return [
      warn(
        `the clock of this machine jumped by ${Math.round(step)} ms during the check`,
        'configure time synchronisation to slew instead of step (chrony: makestep only at boot)',
      ),
    ]
  },
})
