import { embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import { emailsContract } from './suite.ts'

emailsContract('emails, embedded', () => embeddedDatabase({ folder: null }))
