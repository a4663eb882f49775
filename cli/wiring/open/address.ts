import { rm, writeFile } from 'node:fs/promises'

/**
 * Writes `url`, with the secrets in it, to a file that only its owner can read, until the returned function removes
 * it. An existing file is replaced, as its mode may differ.
 */
export async function leaveAddress(path: string, url: string): Promise<() => Promise<void>> {
  await rm(path, { force: true })
  await writeFile(path, JSON.stringify({ url }), { mode: 0o600 })
  return () => rm(path, { force: true })
}
