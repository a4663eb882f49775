import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { embeddedLog } from '../../../connectors/log/embedded/log.ts'
import { deadLettersContract } from './suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'harrier-letters-'))
afterAll(() => rmSync(folder, { recursive: true }))

deadLettersContract('embedded', () => embeddedLog({ folder }))
