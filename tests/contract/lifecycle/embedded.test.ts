import { memoryDatabase } from '../../builders/memory-database.ts'
import { lifecycleContract } from './suite.ts'

lifecycleContract('embedded', memoryDatabase)
