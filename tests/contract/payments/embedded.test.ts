import { embeddedDatabase } from '../../../connectors/accounts/embedded.ts'
import { subscriptionsContract } from './suite.ts'

subscriptionsContract('embedded', () => embeddedDatabase({ folder: null }))
