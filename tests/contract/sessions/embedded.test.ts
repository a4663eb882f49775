import { embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import { sessionsContract } from './suite.ts'

sessionsContract('sessions, embedded', () => embeddedDatabase({ folder: null }))
