import { replayTests } from './replay-tests.ts'

replayTests(900)
