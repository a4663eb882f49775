import { memoryDatabase } from '../../builders/memory-database.ts'
import { subscriptionsContract } from './suite.ts'

subscriptionsContract('embedded', memoryDatabase)
