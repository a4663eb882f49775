import { expect, test } from 'vitest'
import { audit } from './commands/audit.ts'
import { match } from './commands/match.ts'
import { streams } from './commands/streams.ts'
import { faultsOf } from './harness/outcome.ts'

// As `commands.test.ts`, of what readers, users and auditors are told: beside it, as either takes minutes.

/** Above every bound of a command, which tells what it waited for. */
const TIMEOUT = 600_000
const SEED = Number(process.env.HARRIER_CHAOS_SEED ?? 1)

test(
  'readers that come back are told every change of their view, and every alert is there once and arrives, whoever is killed',
  async () => {
    const given = { rounds: 5, rate: 40, seconds: 1, seed: SEED }
    expect(await faultsOf('streams', streams, given)).toEqual([])
  },
  TIMEOUT,
)

test(
  'telemetry meets what is reported before and after it, each once, whoever is killed',
  async () => {
    const given = { rounds: 3, rate: 40, seconds: 1, seed: SEED }
    expect(await faultsOf('match', match, given)).toEqual([])
  },
  TIMEOUT,
)

test(
  'each change of accounts has its audit record, and the chains are whole, whenever the platform is killed',
  async () => {
    const given = { rounds: 3, seed: SEED }
    expect(await faultsOf('audit', audit, given)).toEqual([])
  },
  TIMEOUT,
)
