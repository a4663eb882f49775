import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { subscriptionsContract } from './suite.ts'

subscriptionsContract('embedded', memoryDatabase)
