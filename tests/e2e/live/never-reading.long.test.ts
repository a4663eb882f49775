import { thoseThatNeverRead } from '../../builders/network/never-reading.ts'

/** As never-reading.test.ts, with nine in ten refused. */
thoseThatNeverRead(10_000)
