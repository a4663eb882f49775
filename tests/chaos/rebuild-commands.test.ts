import { expect, test } from 'vitest'
import { killsInside } from './commands/kills/kills-inside.ts'
import { faultsOf } from './harness/outcome.ts'

/** A short run, on the embedded log, of what `npm run chaos` does at length with rebuilds (docs/contribute/chaos.md). */
// Each wait of a command has a bound of its own: this one is for a machine that is busy with other things.
const TIMEOUT = 900_000

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
