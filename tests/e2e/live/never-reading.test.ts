import { thoseThatNeverRead } from '../../builders/network/never-reading.ts'

/** More than the places of a process, which all are taken; those beyond are refused. */
thoseThatNeverRead(1_500)
