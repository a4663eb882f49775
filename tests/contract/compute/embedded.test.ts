import { embeddedDatabase } from '../../../connectors/accounts/embedded.ts'
import { computeContract } from './suite.ts'

computeContract('embedded', () => embeddedDatabase({ folder: null }))
