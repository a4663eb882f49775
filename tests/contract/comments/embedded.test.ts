import { embeddedDatabase } from '../../../connectors/accounts/embedded.ts'
import { commentsContract } from './suite.ts'

commentsContract('embedded', () => embeddedDatabase({ folder: null }))
