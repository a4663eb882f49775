import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { commentsContract } from './suite.ts'

commentsContract('embedded', memoryDatabase)
