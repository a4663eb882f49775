import { memoryDatabase } from '../../builders/memory-database.ts'
import { scansContract } from './suite.ts'

scansContract('embedded', memoryDatabase)
