import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { sessionsContract } from './suite.ts'

sessionsContract('sessions, embedded', memoryDatabase)
