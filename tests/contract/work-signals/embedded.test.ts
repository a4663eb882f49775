import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { workSignalsContract } from './suite.ts'

workSignalsContract('embedded', memoryDatabase, null)
