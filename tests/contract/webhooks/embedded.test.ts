import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { webhooksContract } from './suite.ts'

webhooksContract('embedded', memoryDatabase)
