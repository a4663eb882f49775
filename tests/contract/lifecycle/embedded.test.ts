import { embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import { lifecycleContract } from './suite.ts'

lifecycleContract('embedded', () => embeddedDatabase({ folder: null }))
