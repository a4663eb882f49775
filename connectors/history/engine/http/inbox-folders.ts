import { lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const PREFIX = 'harrier-'

/** Names that `mkdtemp` gives. */
const OURS = /^\/.*\/harrier-[A-Za-z0-9]{6}$/

export type InboxFolders = {
  /** A new folder of this user alone; null where the system has no folder in memory. */
  inMemory: string | null
  /** Removes both. */
  close(): Promise<void>
}

/**
 * Makes the folders of an inbox. Anybody may write to the folder in memory, so the name of ours cannot be foretold: a
 * folder that another user laid there first would give him every body, and let him change it. The folder on disk, which
 * is ours alone, says where it is, so that what a killed engine left behind is found.
 */
export async function inboxFolders(memory: string, disk: string): Promise<InboxFolders> {
  const path = join(disk, 'in-memory')
  await removeLeft(path, memory)
  await rm(disk, { recursive: true, force: true })
  await mkdir(disk, { recursive: true, mode: 0o700 })
  const inMemory = await mkdtemp(join(memory, PREFIX)).catch(() => null)
  if (inMemory !== null) await writeFile(path, inMemory, { mode: 0o600 })
  return {
    inMemory,
    async close() {
      if (inMemory !== null) await rm(inMemory, { recursive: true, force: true })
      await rm(disk, { recursive: true, force: true })
    },
  }
}

/** The lock of the data folder proves that the engine that created it has ended. */
async function removeLeft(path: string, memory: string): Promise<void> {
  const left = await readFile(path, 'utf8').catch(() => '')
  if (!OURS.test(left) || dirname(left) !== memory) return
  const stat = await lstat(left).catch(() => null)
  if (stat?.isDirectory() && stat.uid === process.getuid?.()) await rm(left, { recursive: true, force: true })
}
