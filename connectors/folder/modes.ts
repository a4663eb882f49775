import { constants, type Stats } from 'node:fs'
import { chmod, lstat, opendir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Entries beyond these are left: others do not get past the folders above them. */
const MOST_ENTRIES = 100_000

const OTHERS = constants.S_IRWXG | constants.S_IRWXO

export type Mended = {
  /** Whether others could get into the folder itself. */
  wasOpen: boolean
  /** The folder holds things of others too, or is theirs, so that it stays as open as it was; its own parts do not. */
  stays: boolean
  /** How many files and folders were taken from others. */
  entries: number
  /** Parts that belong to another user, so that their modes stay as they are; the first few. */
  foreign: string[]
}

export type Parts = {
  /** Names in the folder that are ours. */
  ours: RegExp
  /** Names of ours whose content is left: it is large, and nobody reaches it once they are closed. */
  skip: readonly string[]
}

/** Takes every right of the group and of others from a folder and its parts, from the outside in. */
export async function mendModes(folder: string, { ours, skip }: Parts): Promise<Mended> {
  const first = await lstat(folder)
  const names = await readdir(folder)
  const stays = !names.every((name) => ours.test(name)) || !mine(first)
  const mended: Mended = { wasOpen: (first.mode & OTHERS) !== 0, stays, entries: 0, foreign: [] }
  if (!stays) await close(folder, first)
  const waiting: string[] = []
  for (const name of names.filter((name) => ours.test(name))) await visit(join(folder, name), !skip.includes(name))
  let seen = names.length
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for await (const { name } of await opendir(at)) {
      if (++seen > MOST_ENTRIES) return mended
      await visit(join(at, name), true)
    }
  }
  return mended

  async function visit(path: string, inside: boolean): Promise<void> {
    // What is gone meanwhile, or points elsewhere, is left.
    const stat = await lstat(path).catch(() => null)
    if (stat === null || stat.isSymbolicLink()) return
    if (!mine(stat)) return void (mended.foreign.length < 3 && mended.foreign.push(path))
    await close(path, stat)
    if (inside && stat.isDirectory()) waiting.push(path)
  }

  async function close(path: string, { mode }: Stats): Promise<void> {
    if ((mode & OTHERS) === 0) return
    await chmod(path, mode & constants.S_IRWXU)
    mended.entries++
  }
}

/** Where nobody has a number, everything is ours. */
const mine = ({ uid }: Stats): boolean => process.getuid === undefined || process.getuid() === uid
