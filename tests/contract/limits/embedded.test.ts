import { memoryDatabase } from '../../builders/memory-database.ts'
import { limitsContract } from './suite.ts'

limitsContract('embedded', memoryDatabase)
