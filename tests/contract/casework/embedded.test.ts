import { memoryDatabase } from '../../builders/memory-database.ts'
import { caseworkContract } from './suite.ts'

caseworkContract('embedded', memoryDatabase)
