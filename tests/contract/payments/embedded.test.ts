import { embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import { subscriptionsContract } from './suite.ts'

subscriptionsContract('embedded', () => embeddedDatabase({ folder: null }))
