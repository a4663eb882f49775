import { readFileSync, rmSync } from 'node:fs'

/**
 * The process of release 0.1 that has a folder: it knows nothing of locks of the kernel, and wrote its number, and when
 * it began, into `<name>.lock`. null when there is none any more; what such a process left is removed then.
 */
export function earlierOwner(name: string): number | null {
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
