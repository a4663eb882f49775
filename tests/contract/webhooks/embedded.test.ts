import { embeddedDatabase } from '../../../connectors/accounts/embedded.ts'
import { webhooksContract } from './suite.ts'

webhooksContract('embedded', () => embeddedDatabase({ folder: null }))
