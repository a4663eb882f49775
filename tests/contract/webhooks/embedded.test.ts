import { embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import { webhooksContract } from './suite.ts'

webhooksContract('embedded', () => embeddedDatabase({ folder: null }))
