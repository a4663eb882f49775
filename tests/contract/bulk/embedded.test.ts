import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { bulkContract } from './suite.ts'

bulkContract('bulk requests, embedded', memoryDatabase)
