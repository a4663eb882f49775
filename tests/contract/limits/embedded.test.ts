import { embeddedDatabase } from '../../../connectors/accounts/embedded.ts'
import { limitsContract } from './suite.ts'

limitsContract('embedded', () => embeddedDatabase({ folder: null }))
