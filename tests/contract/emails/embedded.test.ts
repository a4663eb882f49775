import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { emailsContract } from './suite.ts'

emailsContract('emails, embedded', memoryDatabase)
