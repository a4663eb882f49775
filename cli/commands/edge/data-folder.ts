import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import { lockFolder, type Release } from '../../../connectors/data-folder/folder-lock.ts'
import type { Moment, StoredAge } from '../../../edge/follow/age.ts'

const FEED = 'feed'
const AGE = 'age.json'

/**
 * Makes this process the one that keeps the list of a feed in a folder.
 * @throws Error when the folder is in use, or of another feed
 */
export function takeFolder(folder: string, feed: string): Release {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // One that was made for it; things of others are left as they are.
  if (readdirSync(folder).length === 0) chmodSync(folder, 0o700)
  const release = lockFolder(folder, join(folder, 'edge'))
  try {
    checkFeed(folder, feed)
    writeFileSync(join(folder, FEED), `${feed}\n`, { mode: 0o600 })
    return release
  } catch (error) {
    release()
    throw error
  }
}

/** @throws Error when the folder is of another feed */
export function checkFeed(folder: string, feed: string): void {
  const known = textOf(join(folder, FEED))?.trim()
  if (known !== undefined && known !== feed)
    throw new Error(`${folder} has the list of the feed ${known}; name another folder with --data`)
}

export function readAge(folder: string): StoredAge | null {
  const text = textOf(join(folder, AGE))
  try {
    const age = text === null ? null : (JSON.parse(text) as StoredAge | null)
    return age !== null && isAge(age) ? age : null
  } catch {
    // It was being written when the machine stopped: nobody knows how old the list is.
    return null
  }
}

const isAge = ({ boot, upSeconds, wall, age }: StoredAge): boolean =>
  typeof boot === 'string' && [upSeconds, wall, age].every(Number.isFinite) && age >= 0

export function writeAge(folder: string, age: StoredAge | null): void {
  if (age === null) return
  const path = join(folder, AGE)
  writeFileSync(`${path}.new`, JSON.stringify(age), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

const boot = textOf('/proc/sys/kernel/random/boot_id')?.trim() ?? ''

/** The moment by the machine: which start of it, how long ago that was, and its clock. */
export function moment(): Moment {
  return { boot, upSeconds: uptime(), wall: Date.now() }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
