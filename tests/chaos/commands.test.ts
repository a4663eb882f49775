import { expect, test } from 'vitest'
import { clockJumps } from './commands/clock-jumps.ts'
import { killsInside } from './commands/kills-inside.ts'
import { rebalance } from './commands/rebalance.ts'
import { replayTwice } from './commands/replay-twice.ts'
import { storeAway } from './commands/store-away.ts'
import { type Command, lineOf } from './harness/outcome.ts'

/** Short runs, on the embedded log, of what `npm run chaos` does at length (docs/chaos.md). */
const TIMEOUT = 180_000

async function found<Options extends Record<string, string | number>>(
  name: string,
  { options, run }: Command<Options>,
  given: Partial<Options>,
): Promise<string[]> {
  const outcome = await run({ ...options, ...given }, (line) => console.log(line))
  console.log(lineOf(name, outcome))
  return outcome.faults
}

test(
  'reports are accepted while the history store is gone, and are in it once it is back',
  async () => {
    // After seconds away there is little to catch up with: the pause before a job starts again is most of the time.
    // At a rate that a busy machine keeps; without the promise a read waits 15 s and more.
    const given = { minutes: 0.1, how: 'kill', faster: 0, rate: 40, within: 8_000 }
    expect(await found('store-away', storeAway, given)).toEqual([])
  },
  TIMEOUT,
)

test(
  'members that come, leave and die under load lose nothing',
  async () => {
    const given = { log: 'embedded', to: 2, seconds: 0.2 }
    expect(await found('rebalance', rebalance, given)).toEqual([])
  },
  TIMEOUT,
)

test(
  'a clock that is set ahead and then back by hours holds up neither reports nor the successors of jobs that died',
  async () => expect(await found('clock-jumps', clockJumps, { seconds: 0.5, hours: '0.1,-3' })).toEqual([]),
  TIMEOUT,
)

test(
  'a replay in another order, in other batches and with duplicates gives the same tables',
  async () => expect(await found('replay-twice', replayTwice, { seconds: 2 })).toEqual([]),
  TIMEOUT,
)

test(
  'a rebuild, new scores and a retraction that are killed inside are finished by the same command again',
  async () => expect(await found('kills-inside', killsInside, { kills: 1, records: 4_000, seconds: 1 })).toEqual([]),
  // A hold on the jobs outlives the one that died by half a minute, twice.
  2 * TIMEOUT,
)
