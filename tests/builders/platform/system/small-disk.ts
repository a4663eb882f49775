import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export type SmallDisk = {
  /** Takes all the room that is left. */
  fill(): void
  /** Gives it back. */
  clear(): void
  unmount(): void
}

/** A file system of its own in memory at this folder; null where this user may not mount one. */
export function smallDisk(folder: string, mebibytes: number): SmallDisk | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch {
    return null
  }
  const ballast = join(folder, 'ballast')
  return {
    fill() {
      const file = openSync(ballast, 'a')
      try {
        for (let size = 1 << 20; size >= 4096; size >>= 1) append(file, Buffer.alloc(size))
      } finally {
        closeSync(file)
      }
    },
    clear: () => rmSync(ballast, { force: true }),
    // What is still open keeps the file system until it ends; the name is gone at once.
    unmount: () => void execFileSync('umount', ['--lazy', folder]),
  }
}

function append(file: number, block: Buffer): void {
  try {
    while (writeSync(file, block) === block.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
