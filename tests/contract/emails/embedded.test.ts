import { memoryDatabase } from '../../builders/memory-database.ts'
import { emailsContract } from './suite.ts'

emailsContract('emails, embedded', memoryDatabase)
