import { embeddedDatabase } from '../../../connectors/accounts/embedded.ts'
import { emailsContract } from './suite.ts'

emailsContract('emails, embedded', () => embeddedDatabase({ folder: null }))
