import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A new folder for the tests of this file or `describe`; removed after them, and after what is closed in later hooks. */
export function ownFolder(name = 'test'): string {
  const folder = mkdtempSync(join(tmpdir(), `harrier-${name}-`))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
