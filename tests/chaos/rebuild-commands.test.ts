import { expect, test } from 'vitest'
import { killsInside } from './commands/kills/kills-inside.ts'
import { replayTwice } from './commands/replay-twice.ts'
import { faultsOf } from './harness/outcome.ts'

/** Short runs, on the embedded log, of what `npm run chaos` does at length with rebuilds (docs/chaos.md). */
// Each wait of a command has a bound of its own: this one is for a machine that is busy with other things.
const TIMEOUT = 900_000

test(
  'a replay in another order, in other batches and with duplicates gives the same tables',
  // The second order of the two of the long run, as its first batches come again.
  async () => expect(await faultsOf('replay-twice', replayTwice, { seconds: 1, replays: 1, seed: 2 })).toEqual([]),
  TIMEOUT,
)

test(
  'a rebuild, new scores and a retraction that are killed inside are finished by the same command again',
  async () => {
    // Half a minute for each of the holds on the jobs of those that died is for the long run.
    // By this seed: with a half of the slices stored, after a pointer has moved, and with scores in a part of the tables.
    const given = { kills: 1, records: 2_000, entities: 500, rate: 2, seconds: 1, hold: 'ended', seed: 235 }
    expect(await faultsOf('kills-inside', killsInside, given)).toEqual([])
  },
  TIMEOUT,
)
