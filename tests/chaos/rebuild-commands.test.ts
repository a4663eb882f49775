import { expect, test } from 'vitest'
import { killsInside } from './commands/kills-inside.ts'
import { replayTwice } from './commands/replay-twice.ts'
import { faultsOf } from './harness/outcome.ts'

/** Short runs, on the embedded log, of what `npm run chaos` does at length with rebuilds (docs/chaos.md). */
const TIMEOUT = 300_000

test(
  'a replay in another order, in other batches and with duplicates gives the same tables',
  async () => expect(await faultsOf('replay-twice', replayTwice, { seconds: 2 })).toEqual([]),
  TIMEOUT,
)

test(
  'a rebuild, new scores and a retraction that are killed inside are finished by the same command again',
  async () => expect(await faultsOf('kills-inside', killsInside, { kills: 1, records: 4_000, seconds: 1 })).toEqual([]),
  // Of each of five commands that are killed a hold on the jobs outlives it by half a minute.
  4 * TIMEOUT,
)
