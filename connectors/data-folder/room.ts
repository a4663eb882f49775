import { statfsSync } from 'node:fs'

const MiB = 1024 ** 2

/**
 * Free space below which the log is not written, bytes. LMDB corrupts the memory of its process when a write fails (ADR
 * 246), so a commit has to fit: it is up to 8 MiB of records with their pages, and other processes write meanwhile.
 */
export const RESERVE_BYTES = 32 * MiB

/** @throws Error that names the folder and the free space, when the disk of `folder` has less than the reserve */
export function checkRoom(folder: string): void {
  const free = freeBytes(folder)
  if (free === null || free >= RESERVE_BYTES) return
  throw new Error(
    `cannot write ${folder}: its disk is full (${Math.floor(free / MiB)} MiB free, ${RESERVE_BYTES / MiB} MiB are ` +
      'needed); free disk space, see harrier guide runbooks/disk-full',
  )
}

/** The free space on the disk of `folder`, bytes; null where the file system does not tell. */
export function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
