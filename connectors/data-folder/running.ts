/**
 * A folder that says that it is in use, so that a copy taken meanwhile is known: its stores are of different moments, and
 * records would be counted twice or never (ADR 281). The note names its own file by inode and time of birth. A copy has
 * others, while a kill, a reboot, a rename and a snapshot of the whole volume keep both.
 */

import { randomUUID } from 'node:crypto'
import {
  type BigIntStats,
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import type { Release } from './folder-lock.ts'

const noteOf = (folder: string): string => join(resolve(folder), 'running.json')

/** `url`: where the API of the platform listens, once it does. */
type Note = { since: string; host: string; inode: string; born: string; url?: string }

/** File systems that keep no time of birth show another time in its place. */
const bornOf = ({ birthtimeNs, ctimeNs }: BigIntStats): string | null =>
  birthtimeNs === 0n || birthtimeNs === ctimeNs ? null : String(birthtimeNs)

/**
 * Notes that the folder is in use, until the returned function ends it. The folder must be held already. A later note takes
 * the place of an earlier one.
 * @param url where the API listens, such as `http://127.0.0.1:8080`
 */
export function noteRunning(folder: string, url?: string): Release {
  const path = noteOf(folder)
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, '', { mode: 0o600, flag: 'wx' })
    const { ino, birthtimeNs } = statSync(draft, { bigint: true })
    const since = new Date().toISOString()
    const note = { since, host: hostname(), inode: String(ino), born: String(birthtimeNs), url }
    writeFileSync(draft, JSON.stringify(note), { flush: true })
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
  return () => rmSync(path, { force: true })
}

/**
 * Where the API of the platform listens that uses the folder, or used it when it was killed; null when no platform does, or
 * it does not listen yet.
 */
export function runningAt(folder: string): string | null {
  const { url } = readNote(noteOf(folder))?.note ?? {}
  return typeof url === 'string' && URL.canParse(url) ? url : null
}

/** @throws Error with the way out when the folder was copied while a platform ran on it */
export function refuseCopy(folder: string): void {
  const path = noteOf(folder)
  const found = readNote(path)
  if (found === null) return
  const { note, stat } = found
  const born = bornOf(stat)
  if (note.inode === String(stat.ino) && (born === null || note.born === born)) return
  throw new Error(
    `${resolve(folder)} is a copy of a data folder in use (by a platform on host ${note.host} since ${note.since}), ` +
      'so the copy is inconsistent. Stop that platform and copy its folder again (harrier guide runbooks/backup). ' +
      `If that platform had been killed and nothing was running during the copy, remove ${path} and start again`,
  )
}

/** Both of one file, though a start may put another in its place meanwhile; null without a note. */
function readNote(path: string): { note: Note; stat: BigIntStats } | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    // Whom the folder is closed to opens no store of it.
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
  try {
    return { note: JSON.parse(readFileSync(file, 'utf8')) as Note, stat: fstatSync(file, { bigint: true }) }
  } catch (cause) {
    throw new Error(`cannot read ${path}: ${(cause as Error).message}`, { cause })
  } finally {
    closeSync(file)
  }
}
