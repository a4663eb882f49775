import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Before the tests: where the first platform that starts leaves its data folder for the others (builders/template.ts). */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-template-'))
  process.env.TEST_TEMPLATE = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
