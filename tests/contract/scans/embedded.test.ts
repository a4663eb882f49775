import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { scansContract } from './suite.ts'

scansContract('embedded', memoryDatabase)
