import { strikesOfIndex } from '../../builders/platform/lookups/rounds.ts'

/** As lookup-index.test.ts, with a hundred strikes. */
strikesOfIndex(100)
