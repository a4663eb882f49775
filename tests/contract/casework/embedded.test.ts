import { embeddedDatabase } from '../../../connectors/accounts/embedded.ts'
import { caseworkContract } from './suite.ts'

caseworkContract('embedded', () => embeddedDatabase({ folder: null }))
