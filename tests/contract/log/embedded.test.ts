import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { embeddedLog } from '../../../connectors/log/embedded/log.ts'
import { crashContract } from './crashes.ts'
import { groupsContract } from './groups.ts'
import { recordsContract } from './suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'harrier-log-'))
afterAll(() => rmSync(folder, { recursive: true }))

recordsContract('embedded', () => embeddedLog({ folder }))
groupsContract('embedded', () => embeddedLog({ folder }))
crashContract('embedded', `embedded:${folder}`)
