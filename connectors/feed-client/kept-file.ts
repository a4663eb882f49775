import { createReadStream } from 'node:fs'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'

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
      const target = await realpath(path).catch(() => path)
      const part = `${target}.new`
      try {
        const file = await open(part, 'w', 0o644)
        try {
          for await (const piece of bytes) {
            signal.throwIfAborted()
            await file.write(piece)
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
