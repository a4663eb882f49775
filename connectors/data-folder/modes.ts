import { constants, type Stats } from 'node:fs'
import { chmod, lstat, opendir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Entries beyond these are left: others do not get past the folders above them. */
const MOST_ENTRIES = 100_000

const OTHERS = constants.S_IRWXG | constants.S_IRWXO

export type ModesReport = {
  /** Whether others could get into the folder itself. */
  wasOpen: boolean
  /** The folder holds things of others too, or is theirs, so that it stays as open as it was; its own parts do not. */
  stays: boolean
  /** How many files and folders were taken from others. */
  entries: number
  /** Parts whose modes stay unchanged because another user owns them or the file system refuses; only the first few. */
  foreign: string[]
}

export type FolderContents = {
  /** Names in the folder that are ours. */
  ours: RegExp
  /**
   * Our directories whose content is skipped: it is large, and unreachable for others once the directories are
   * closed.
   */
  skip: readonly string[]
}

/** Takes every right of the group and of others from a folder and its parts, from the outside in. */
export async function mendModes(folder: string, { ours, skip }: FolderContents): Promise<ModesReport> {
  // The folder may be reached by a link, which has every right itself.
  const first = await stat(folder)
  const names = await readdir(folder)
  const stays = !names.every((name) => ours.test(name)) || !mine(first)
  const report: ModesReport = { wasOpen: (first.mode & OTHERS) !== 0, stays, entries: 0, foreign: [] }
  if (!stays) await close(folder, first)
  const waiting: string[] = []
  for (const name of names.filter((name) => ours.test(name))) await visit(join(folder, name), !skip.includes(name))
  let seen = names.length
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for await (const { name } of (await opendir(at).catch(unlessGone)) ?? []) {
      if (++seen > MOST_ENTRIES) return report
      await visit(join(at, name), true)
    }
  }
  return report

  async function visit(path: string, inside: boolean): Promise<void> {
    // What was deleted meanwhile, or points elsewhere, is skipped.
    const found = await lstat(path).catch(() => null)
    if (found === null || found.isSymbolicLink()) return
    if (!mine(found)) return leave(path)
    await close(path, found)
    if (inside && found.isDirectory()) waiting.push(path)
  }

  function leave(path: string): void {
    if (report.foreign.length < 3) report.foreign.push(path)
  }

  async function close(path: string, { mode }: Stats): Promise<void> {
    if ((mode & OTHERS) === 0) return
    try {
      await chmod(path, mode & constants.S_IRWXU)
      report.entries++
    } catch (error) {
      if (KEPT.has((error as NodeJS.ErrnoException).code ?? '')) leave(path)
      else unlessGone(error)
    }
  }
}

/** What file systems say that have no modes of their own, or keep them. */
const KEPT = new Set(['EPERM', 'EACCES', 'EROFS', 'ENOTSUP', 'ENOSYS'])

/** Commands beside a platform make and remove files. */
function unlessGone(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
  throw error
}

/** Where the platform has no user ids, every file counts as ours. */
const mine = ({ uid }: Stats): boolean => process.getuid === undefined || process.getuid() === uid
