import { expect, test } from 'vitest'
import { audit } from './commands/audit.ts'
import { clockJumps } from './commands/clock-jumps.ts'
import { kills } from './commands/kills.ts'
import { killsInside } from './commands/kills-inside.ts'
import { match } from './commands/match.ts'
import { rebalance } from './commands/rebalance.ts'
import { replayTwice } from './commands/replay-twice.ts'
import { streams } from './commands/streams.ts'
import { faultsOf } from './harness/outcome.ts'

/**
 * Runs of `commands.test.ts`, `kill.test.ts` and `rebuild-commands.test.ts` with heavier loads, more kills and records, and
 * of what `kill.test.ts` checks together one by one.
 */
const TIMEOUT = 1_200_000
const SEED = Number(process.env.HARRIER_CHAOS_SEED ?? 1)

test(
  'many kills under a heavy load lose nothing, double nothing, and leave every total and all that is told right',
  async () => expect(await faultsOf('kills', kills, { rounds: 20, rate: 120, seed: SEED })).toEqual([]),
  2 * TIMEOUT,
)

test(
  'readers that come back are told every change of their view, and every alert is there once and arrives, whoever is killed',
  async () => expect(await faultsOf('streams', streams, { rounds: 5, rate: 40, seconds: 1, seed: SEED })).toEqual([]),
  TIMEOUT,
)

test(
  'telemetry meets what is reported before and after it, each once, whoever is killed',
  async () => expect(await faultsOf('match', match, { rounds: 3, rate: 40, seconds: 1, seed: SEED })).toEqual([]),
  TIMEOUT,
)

test(
  'each change of accounts has its audit record, and the chains are whole, whenever the platform is killed',
  async () => expect(await faultsOf('audit', audit, { rounds: 3, seed: SEED })).toEqual([]),
  TIMEOUT,
)

test(
  'members that come, leave and die under a heavy load lose nothing',
  async () => expect(await faultsOf('rebalance', rebalance, { log: 'embedded', to: 2, seconds: 0.2 })).toEqual([]),
  TIMEOUT,
)

test(
  'a clock that is set ahead and then back by hours holds up neither many reports nor the successors of jobs that died',
  async () => expect(await faultsOf('clock-jumps', clockJumps, { seconds: 0.5, hours: '0.1,-3' })).toEqual([]),
  TIMEOUT,
)

test(
  'a replay in two other orders, in other batches and with duplicates gives the same tables',
  async () => expect(await faultsOf('replay-twice', replayTwice, { seconds: 2 })).toEqual([]),
  TIMEOUT,
)

test(
  'a rebuild, new scores and a retraction that are killed inside are finished by the same command once the hold has run out',
  // Of each of five commands that are killed a hold on the jobs outlives it by half a minute.
  async () => expect(await faultsOf('kills-inside', killsInside, { kills: 1, records: 4_000, seconds: 1 })).toEqual([]),
  TIMEOUT,
)
