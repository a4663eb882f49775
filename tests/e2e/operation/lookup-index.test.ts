import { strikesOfIndex } from '../../builders/platform/lookups/rounds.ts'

strikesOfIndex(Number(process.env.HARRIER_CHAOS_ROUNDS ?? 8))
