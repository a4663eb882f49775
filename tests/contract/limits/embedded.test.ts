import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { limitsContract } from './suite.ts'

limitsContract('embedded', memoryDatabase)
