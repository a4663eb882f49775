import { memoryDatabase } from '../../builders/memory-database.ts'
import { computeContract } from './suite.ts'

computeContract('embedded', memoryDatabase)
