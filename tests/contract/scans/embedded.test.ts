import { embeddedDatabase } from '../../../connectors/accounts/embedded.ts'
import { scansContract } from './suite.ts'

scansContract('embedded', () => embeddedDatabase({ folder: null }))
