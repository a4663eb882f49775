import { replayTests } from './replay-tests.ts'

/** So many that the tables have several parts, and the job several batches. */
replayTests(5_000)
