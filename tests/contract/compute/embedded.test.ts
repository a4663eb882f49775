import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { computeContract } from './suite.ts'

computeContract('embedded', memoryDatabase)
