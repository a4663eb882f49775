import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownFolder } from '../builders/suite/own-folder.ts'
import { clockIsSet, clockJumps } from './commands/clock-jumps.ts'
import { membersMove, rebalance } from './commands/rebalance.ts'
import { replaysDiffer } from './commands/replay-twice.ts'
import { storeAway, storeGoesAway } from './commands/store-away.ts'
import { type MovedClock, movedClock } from './harness/clocks/moved-clock.ts'
import { type Outcome, printed } from './harness/outcome.ts'
import { openStage, type Stage } from './harness/stage.ts'

/** Above every bound of a command, which tells what it waited for. */
const TIMEOUT = 600_000
const print = (line: string): void => console.log(line)

// In small, on the embedded log, what `npm run chaos` does at length (docs/contribute/chaos.md).
describe('one platform on the embedded log, under load', () => {
  const folder = ownFolder('clock')
  let clock: MovedClock
  let stage: Stage

  beforeAll(async () => {
    clock = movedClock('date', join(folder, 'shift'))
    stage = await openStage({ env: clock.env, ownEngine: true })
  }, TIMEOUT)
  afterAll(() => stage?.close(), TIMEOUT)

  const faultsOf = (name: string, outcome: Outcome): string[] => printed(name, outcome).faults

  test(
    'accepts reports while the history store is gone, and they are in it once it is back',
    async () => {
      // After seconds away there is little to catch up with: the pause before a job starts again is most of the time.
      // At a rate that a busy machine keeps; without the promise a read waits 15 s and more.
      const given = { ...storeAway.options, minutes: 0.1, how: 'kill', faster: 0, rate: 25, within: 8_000 }
      expect(faultsOf('store-away', await storeGoesAway(stage, given, print))).toEqual([])
    },
    TIMEOUT,
  )

  test(
    'goes on when members come, leave and die',
    async () => {
      const given = { ...rebalance.options, to: 2, seconds: 0.2, rate: 25 }
      expect(faultsOf('rebalance', await membersMove(stage, given, undefined, print))).toEqual([])
    },
    TIMEOUT,
  )

  test(
    'goes on, as do the successors of jobs that died, when its clock is set ahead and then back by hours',
    async () => {
      const given = { ...clockJumps.options, seconds: 0.5, rate: 20, hours: '0.1,-3' }
      expect(faultsOf('clock-jumps', await clockIsSet(stage, clock.set, given, print))).toEqual([])
    },
    TIMEOUT,
  )

  test(
    'has lost nothing of all this, and nothing is there twice',
    async () => expect(faultsOf('settled', await stage.settled())).toEqual([]),
    TIMEOUT,
  )

  test(
    'has a log of which a replay in another order, in other batches and with duplicates gives the same tables',
    // The second order of the two of the long run, as its first batches come again.
    async () =>
      expect(faultsOf('replay-twice', await replaysDiffer(stage, { replays: 1, seed: 2 }, print))).toEqual([]),
    TIMEOUT,
  )
})
