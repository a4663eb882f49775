import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Rights of others, in the mode of a file. */
const OF_OTHERS = 0o077
const FILE = 0o600
const FOLDER = 0o700

/**
 * Takes the rights of others away from everything in the folder of an embedded PostgreSQL: what it unpacks has the modes
 * of its archive, whatever the umask is. A folder that is done has a version file of its own, and is not looked through.
 * @param folder an absolute path, whose database is closed
 */
export async function ownFiles(folder: string): Promise<void> {
  const version = join(folder, 'PG_VERSION')
  if (((await stat(version)).mode & OF_OTHERS) === 0) return
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (path === version) continue
    if (entry.isDirectory()) await chmod(path, FOLDER)
    else if (entry.isFile()) await chmod(path, FILE)
  }
  await chmod(folder, FOLDER)
  // Last, so that a start that was cut short begins again.
  await chmod(version, FILE)
}

/** What PostgreSQL writes past its own rule for modes when a session begins: caches of its catalogue. */
const CACHE = 'pg_internal.init'

/** The same for these caches alone. @param folder of a database that has just been opened */
export async function ownCaches(folder: string): Promise<void> {
  const databases = await readdir(join(folder, 'base'))
  for (const place of ['global', ...databases.map((name) => join('base', name))])
    await chmod(join(folder, place, CACHE), FILE).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    })
}
