import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { keysContract } from './keys.ts'
import { sessionsContract } from './suite.ts'

sessionsContract('sessions, embedded', memoryDatabase)
keysContract('key pairs, embedded', memoryDatabase)
