import { embeddedDatabase } from '../../../connectors/accounts/embedded.ts'
import { lifecycleContract } from './suite.ts'

lifecycleContract('embedded', () => embeddedDatabase({ folder: null }))
