import { embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import { caseworkContract } from './suite.ts'

caseworkContract('embedded', () => embeddedDatabase({ folder: null }))
