import { embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import { limitsContract } from './suite.ts'

limitsContract('embedded', () => embeddedDatabase({ folder: null }))
