/** The mapping file of single sign-on (decisions 16.3), read again when it changes. */

import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { type Mapping, NO_MAPPING, readMapping } from '../../schemas/accounts/sign-on/mapping.ts'

const MAX_BYTES = 1024 * 1024

/**
 * The rules as they are now. Each call reads the file: sign-ins are few. Of a file that is broken, or gone, the last good
 * rules hold, and `onBroken` is told once of each such text.
 * @throws an Error that names the file when it is broken at the start, where there are no good rules yet
 */
export function mappingFile(path: string | null, onBroken: (reason: string) => void): () => Promise<Mapping> {
  if (path === null) return async () => NO_MAPPING
  let seen = ''
  let good: Mapping
  try {
    seen = readFileSync(path, 'utf8')
    good = parsed(seen)
  } catch (cause) {
    throw new Error(`HARRIER_OIDC_MAPPING_FILE ${path}: ${reasonOf(cause)}`, { cause })
  }
  let broken: string | null = null
  return async () => {
    let text = ''
    try {
      text = await bounded(path)
      if (text !== seen) good = parsed(text)
      seen = text
      broken = null
    } catch (error) {
      const what = `${text} ${reasonOf(error)}`
      if (what !== broken) onBroken(reasonOf(error))
      broken = what
    }
    return good
  }
}

const parsed = (text: string): Mapping => readMapping(JSON.parse(text))

async function bounded(path: string): Promise<string> {
  if ((await stat(path)).size > MAX_BYTES) throw new Error('the file is larger than 1 MiB')
  return readFile(path, 'utf8')
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
