import { strikesOfIndex } from '../../builders/lookups/rounds.ts'

/** As lookup-index.test.ts, with a hundred strikes. */
strikesOfIndex(100)
