import { embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import { scansContract } from './suite.ts'

scansContract('embedded', () => embeddedDatabase({ folder: null }))
