import { createReadStream } from 'node:fs'
import { open, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Links of a path one after the other. */
const MOST_LINKS = 16

/** What a file could not be written for, in words that say what to do. */
const WAYS_OUT: Record<string, string> = {
  EBUSY: 'the file is a mount of its own and cannot be replaced; mount its folder instead',
  EXDEV: 'the file is a mount of its own and cannot be replaced; mount its folder instead',
  EISDIR: 'there is a folder in its place',
  EACCES: 'its folder may not be written',
  EPERM: 'its folder may not be written',
  EROFS: 'its folder is on a read-only file system',
  ENOENT: 'its folder does not exist',
  ENOSPC: 'the disk is full',
}

/** A file that follows something: readers have the bytes of before or those of now, whole. */
export type KeptFile = {
  /**
   * Puts these bytes in its place, when they differ. What was written for that is removed when it fails.
   * @returns whether they differed
   * @throws Error that names the file and a way out
   */
  put(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<boolean>
}

/** @param path a symbolic link stays one: what it leads to is replaced */
export function keptFile(path: string): KeptFile {
  return {
    async put(bytes, signal) {
      const target = await targetOf(path)
      const part = `${target}.new`
      try {
        const file = await open(part, 'w', 0o644)
        try {
          for await (const piece of bytes) {
            signal.throwIfAborted()
            // All of it: a disk that is nearly full takes a part without a word.
            await file.appendFile(piece)
          }
          await file.sync()
        } finally {
          await file.close()
        }
        if (await isSame(part, target)) {
          await rm(part, { force: true })
          return false
        }
        await rename(part, target)
        return true
      } catch (error) {
        await rm(part, { force: true }).catch(() => undefined)
        const way = WAYS_OUT[(error as NodeJS.ErrnoException).code ?? '']
        throw way === undefined ? error : new Error(`${path} cannot be written: ${way}`, { cause: error })
      }
    },
  }
}

/** Where a path leads, also where nothing is there yet. */
async function targetOf(path: string, links = MOST_LINKS): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const to = links === 0 ? null : await readlink(path).catch(() => null)
    return to === null ? path : targetOf(resolve(dirname(path), to), links - 1)
  }
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([stat(one), stat(other).catch(() => null)])
  if (b === null || !b.isFile() || a.size !== b.size) return false
  const [left, right] = [createReadStream(one), createReadStream(other)].map((file) => file[Symbol.asyncIterator]())
  for (;;) {
    const [x, y] = await Promise.all([left!.next(), right!.next()])
    if (x.done || y.done) return x.done === y.done
    if (!(x.value as Buffer).equals(y.value as Buffer)) return false
  }
}
