import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Release } from './folder-lock.ts'
import { type LockFile, openLockFile } from './lock-file.ts'

/** Between two tries another process may have become the first. */
const TRIES = 3

/**
 * Where the process numbers of this process count: its PID namespace since the machine started, as a number but 0.
 * Without /proc, its host.
 */
export function placeOf(): number {
  let place: string
  try {
    place = `${readlinkSync('/proc/self/ns/pid')} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`
  } catch {
    place = hostname()
  }
  return createHash('sha256').update(place).digest().readInt32BE(0) | 1
}

/**
 * Opens a folder beside other processes of the same PID namespace, and keeps those of other namespaces out: LMDB tells
 * processes apart by their numbers, and two with the same number wait for each other for ever (ADR 155).
 * @throws Error that names the folder while processes of another namespace have it
 */
export function shareFolder(folder: string, place = placeOf()): Release {
  const lock = openLockFile(`${folder}.held`)
  for (let tries = 0; tries < TRIES; tries++) {
    if (lock.shared() === place) return () => lock.close()
    lock.free()
    claim(lock, place)
  }
  lock.close()
  throw new Error(
    `${folder} is in use by processes of another container or PID namespace; ` +
      'run the command in the same container, or stop those processes first',
  )
}

/** The first process writes where it runs; nothing changes while others have the folder. */
function claim(lock: LockFile, place: number): void {
  if (!lock.alone()) return
  lock.write(place)
  lock.free()
}
