import { embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import { computeContract } from './suite.ts'

computeContract('embedded', () => embeddedDatabase({ folder: null }))
