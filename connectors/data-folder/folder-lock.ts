import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { openLockFile } from './lock-file.ts'

/**
 * The process of release 0.1 that has a folder: it knows nothing of locks of the kernel, and wrote its number, and when
 * it began, into `<name>.lock`. null when there is none any more; what such a process left is removed then.
 */
function earlierOwner(name: string): number | null {
  const path = `${name}.lock`
  const [pid, start] = readOrEmpty(path).split(' ')
  if (start !== undefined && start !== '' && startOf(Number(pid)) === start) return Number(pid)
  rmSync(path, { force: true })
  return null
}

/** When a process began, as 0.1 wrote it: another one may have been given its number. null where that is not known. */
function startOf(pid: number): string | null {
  if (!Number.isInteger(pid) || pid === process.pid) return null
  const stat = readOrEmpty(`/proc/${pid}/stat`)
  // Field 22; the command in parentheses before it may hold spaces.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Gives a folder back to others. */
export type Release = () => void

/**
 * Makes this process the only owner of a folder, before anything in it is opened. The lock is `<name>.held`; who has it is
 * written into `<name>.holder` for people, and decides nothing (ADR 155).
 * @param folder what the message names
 * @param name path of the lock without its ending; default: beside the folder
 * @throws Error that names the folder and its owner while another process, or another part of this one, has it
 */
export function lockFolder(folder: string, name = folder): Release {
  const lock = openLockFile(`${name}.held`)
  if (!lock.alone()) {
    lock.close()
    throw new Error(`${folder} is in use by ${ownerOf(`${name}.holder`)}; stop that process, or choose another folder`)
  }
  try {
    const earlier = earlierOwner(name)
    if (earlier !== null)
      throw new Error(
        `${folder} is in use by process ${earlier} of an earlier release; stop that process, or choose another folder`,
      )
    const owner = { pid: process.pid, host: hostname(), since: new Date().toISOString() }
    writeFileSync(`${name}.holder`, JSON.stringify(owner), { mode: 0o600 })
  } catch (error) {
    lock.close()
    throw error
  }
  return () => lock.close()
}

/** The owner in words. A process number is that of the owner's own container. */
function ownerOf(path: string): string {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    return `process ${pid} on host ${host} since ${since}`
  } catch {
    return 'an unidentified process'
  }
}
