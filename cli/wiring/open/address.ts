import { rm, writeFile } from 'node:fs/promises'

/**
 * Leaves `url`, with the secrets in it, in a file that only its owner reads, until the returned function takes it away.
 * A file that was there is replaced: its mode may be another.
 */
export async function leaveAddress(path: string, url: string): Promise<() => Promise<void>> {
  await rm(path, { force: true })
  await writeFile(path, JSON.stringify({ url }), { mode: 0o600 })
  return () => rm(path, { force: true })
}
