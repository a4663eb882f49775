import { setTimeout as sleep } from 'node:timers/promises'
import { type Check, ok, warn } from './finding.ts'

const LOOK_MS = 500
const MAX_STEP_MS = 50

/** Whether the wall clock moves as fast as time does. */
export const clockCheck = (now: () => number = Date.now, monotonic: () => number = () => performance.now()): Check => ({
  name: 'clock',
  todo: 'look at the clock of this machine',
  async run() {
    const [wall, steady] = [now(), monotonic()]
    await sleep(LOOK_MS)
    const step = now() - wall - (monotonic() - steady)
    if (Math.abs(step) <= MAX_STEP_MS) return [ok('the clock of this machine moves evenly')]
    return [
      warn(
        `the clock of this machine jumped by ${Math.round(step)} ms while it was looked at`,
        'let it be slewed instead of stepped (chrony: makestep only at boot)',
      ),
    ]
  },
})
