import { memoryDatabase } from '../../builders/memory-database.ts'
import { webhooksContract } from './suite.ts'

webhooksContract('embedded', memoryDatabase)
