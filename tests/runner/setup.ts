import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Before the tests: where the first platform that starts leaves its data folder for the others
 * (builders/platform/template.ts). Runs that share one name it in TEST_TEMPLATE.
 */
export function setup(): (() => void) | undefined {
  if (process.env.TEST_TEMPLATE !== undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'harrier-template-'))
  process.env.TEST_TEMPLATE = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
