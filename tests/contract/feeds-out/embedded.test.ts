import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { feedsOutContract } from './suite.ts'

feedsOutContract('embedded', memoryDatabase)
