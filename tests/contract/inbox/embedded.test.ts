import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { inboxContract } from './suite.ts'

inboxContract('statuses of the inbox, embedded', memoryDatabase)
