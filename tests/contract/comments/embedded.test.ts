import { embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import { commentsContract } from './suite.ts'

commentsContract('embedded', () => embeddedDatabase({ folder: null }))
