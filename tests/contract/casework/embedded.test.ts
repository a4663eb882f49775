import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { caseworkContract } from './suite.ts'

caseworkContract('embedded', memoryDatabase)
