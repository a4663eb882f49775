import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { lifecycleContract } from './suite.ts'

lifecycleContract('embedded', memoryDatabase)
