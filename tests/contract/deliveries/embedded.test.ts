import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { deliveriesContract } from './suite.ts'

deliveriesContract('embedded', memoryDatabase)
