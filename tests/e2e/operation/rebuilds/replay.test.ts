import { replayTests } from './replay-tests.ts'

replayTests(1_500)
