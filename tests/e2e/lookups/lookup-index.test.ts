import { strikesOfIndex } from '../../builders/lookups/rounds.ts'

strikesOfIndex(Number(process.env.HARRIER_CHAOS_ROUNDS ?? 5))
