import { expect, test } from 'vitest'
import { killsInside } from './commands/kills-inside.ts'
import { replayTwice } from './commands/replay-twice.ts'
import { faultsOf } from './harness/outcome.ts'

/** The runs of `rebuild-commands.test.ts` with more records, a second order, and holds that run out by themselves. */
const TIMEOUT = 300_000

test(
  'a replay in two other orders, in other batches and with duplicates gives the same tables',
  async () => expect(await faultsOf('replay-twice', replayTwice, { seconds: 2 })).toEqual([]),
  TIMEOUT,
)

test(
  'a rebuild, new scores and a retraction that are killed inside are finished by the same command once the hold has run out',
  async () => expect(await faultsOf('kills-inside', killsInside, { kills: 1, records: 4_000, seconds: 1 })).toEqual([]),
  // Of each of five commands that are killed a hold on the jobs outlives it by half a minute.
  4 * TIMEOUT,
)
