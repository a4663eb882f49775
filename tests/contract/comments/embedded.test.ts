import { memoryDatabase } from '../../builders/memory-database.ts'
import { commentsContract } from './suite.ts'

commentsContract('embedded', memoryDatabase)
