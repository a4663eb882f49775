import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** What clients are made of, fetched once into .cache/ through their own package managers. */

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const HERE = join(ROOT, 'tests/clients')
/** Milliseconds for a download, and for one run of a client: the longest takes 25 s on a machine that does nothing else. */
export const FETCH_MS = 240_000
export const ASK_MS = 240_000
/** For a hook that fetches a client and runs it. */
export const PREPARED_MS = FETCH_MS + ASK_MS

/** The version that a file of this folder names. */
export const versionOf = (path: string, pattern: RegExp): string =>
  pattern.exec(readFileSync(join(HERE, path), 'utf8'))![1]!

const making = new Map<string, Promise<void>>()
const AGAIN_MS = 200

/**
 * Runs `make` unless it has filled `folder` before. Tests beside it, in this process and in others, wait for it. What a
 * killed run left half made is made anew.
 */
export const once = (folder: string, make: () => Promise<void>): Promise<void> => {
  const made = making.get(folder) ?? fill(folder, make)
  making.set(folder, made)
  return made
}

async function fill(folder: string, make: () => Promise<void>): Promise<void> {
  const complete = join(folder, '.complete')
  const lock = `${folder}.making`
  await mkdir(dirname(folder), { recursive: true })
  for (let waited = 0; !existsSync(complete); waited += AGAIN_MS) {
    const first = await mkdir(lock).then(
      () => true,
      () => false,
    )
    if (!first && waited < FETCH_MS) {
      await sleep(AGAIN_MS)
      continue
    }
    try {
      if (existsSync(complete)) return
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder)
      await make()
      await writeFile(complete, '')
    } finally {
      await rm(lock, { recursive: true, force: true })
    }
  }
}
