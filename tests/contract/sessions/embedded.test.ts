import { embeddedDatabase } from '../../../connectors/accounts/embedded.ts'
import { sessionsContract } from './suite.ts'

sessionsContract('sessions, embedded', () => embeddedDatabase({ folder: null }))
