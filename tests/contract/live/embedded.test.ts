import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { liveContract } from './suite.ts'

liveContract('live streams, embedded', memoryDatabase)
