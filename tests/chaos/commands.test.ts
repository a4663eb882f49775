import { expect, test } from 'vitest'
import { clockJumps } from './commands/clock-jumps.ts'
import { rebalance } from './commands/rebalance.ts'
import { storeAway } from './commands/store-away.ts'
import { faultsOf } from './harness/outcome.ts'

// Short runs, on the embedded log, of what `npm run chaos` does at length (docs/chaos.md).

/** Above every bound of a command, which tells what it waited for. */
const TIMEOUT = 600_000

test(
  'reports are accepted while the history store is gone, and are in it once it is back',
  async () => {
    // After seconds away there is little to catch up with: the pause before a job starts again is most of the time.
    // At a rate that a busy machine keeps; without the promise a read waits 15 s and more.
    const given = { minutes: 0.1, how: 'kill', faster: 0, rate: 40, within: 8_000 }
    expect(await faultsOf('store-away', storeAway, given)).toEqual([])
  },
  TIMEOUT,
)

test(
  'members that come, leave and die under load lose nothing',
  async () => {
    const given = { log: 'embedded', to: 2, seconds: 0.2, rate: 25 }
    expect(await faultsOf('rebalance', rebalance, given)).toEqual([])
  },
  TIMEOUT,
)

test(
  'a clock that is set ahead and then back by hours holds up neither reports nor the successors of jobs that died',
  async () => {
    const given = { seconds: 0.5, rate: 20, hours: '0.1,-3' }
    expect(await faultsOf('clock-jumps', clockJumps, given)).toEqual([])
  },
  TIMEOUT,
)
