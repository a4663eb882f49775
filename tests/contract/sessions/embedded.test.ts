import { memoryDatabase } from '../../builders/memory-database.ts'
import { sessionsContract } from './suite.ts'

sessionsContract('sessions, embedded', memoryDatabase)
