import { expect, test } from 'vitest'
import { kills } from './commands/kills.ts'
import { faultsOf } from './harness/outcome.ts'

/**
 * One platform, killed part by part, under all that `streams`, `match` and `audit` check one by one
 * (commands.long.test.ts). HARRIER_CHAOS_ROUNDS, HARRIER_CHAOS_RATE and HARRIER_CHAOS_SEED for another run.
 */
const ROUNDS = Number(process.env.HARRIER_CHAOS_ROUNDS ?? 6)
const RATE = Number(process.env.HARRIER_CHAOS_RATE ?? 30)
const SEED = Number(process.env.HARRIER_CHAOS_SEED ?? 1)

test(
  `${ROUNDS} kills under load lose nothing, double nothing, and leave every total and all that is told right`,
  async () => expect(await faultsOf('kills', kills, { rounds: ROUNDS, rate: RATE, seed: SEED })).toEqual([]),
  600_000 + ROUNDS * 60_000,
)
