import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What clients are made of, fetched once into .cache/ through their own package managers. */

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const HERE = join(ROOT, 'tests/clients')
/** Milliseconds for a download, and for one run of a client. */
export const FETCH_MS = 240_000
export const ASK_MS = 60_000

/** The version that a file of this folder names. */
export const versionOf = (path: string, pattern: RegExp): string =>
  pattern.exec(readFileSync(join(HERE, path), 'utf8'))![1]!

/** Runs `make` unless it has filled `folder` before. */
export const once = async (folder: string, make: () => Promise<void>): Promise<void> => {
  if (existsSync(join(folder, '.complete'))) return
  await mkdir(folder, { recursive: true })
  await make()
  await writeFile(join(folder, '.complete'), '')
}
