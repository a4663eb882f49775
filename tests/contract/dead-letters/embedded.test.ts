import { embeddedLog } from '../../../connectors/log/embedded/log.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'
import { deadLettersContract } from './suite.ts'

const folder = ownFolder('letters')

deadLettersContract('embedded', () => embeddedLog({ folder }))
