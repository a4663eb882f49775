/**
 * One owner for a folder. The embedded PostgreSQL has no lock of its own: two processes on one folder both succeed and
 * lose each other's rows (docs/adr/0040).
 */

import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'

/** Locks held by this process: a lock file with our own pid may be left from a container that had the same one. */
const held = new Set<string>()

/**
 * Takes `<folder>.lock`; resolves to its release. Rejects when a live process holds it. A lock whose process is dead is
 * taken over, a live one's never, however long it is silent: it may be busy for seconds.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = `${folder}.lock`
  const mine = `${process.pid} ${await startOf(process.pid)}`
  if (held.has(path) || !(await taken(path, mine))) {
    throw new Error(`${folder} is in use by process ${(await ownerOf(path)).pid}; stop it, or choose another folder`)
  }
  held.add(path)
  return async () => {
    held.delete(path)
    await rm(path, { force: true })
  }
}

async function taken(path: string, mine: string): Promise<boolean> {
  if (await created(path, mine)) return true
  const owner = await ownerOf(path)
  if (owner.pid !== process.pid && owner.start === (await startOf(owner.pid))) return false
  // Of several that find the same dead owner, the one whose rename moved the dead lock goes on.
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch {
    return created(path, mine)
  }
  const moved = await readFile(aside, 'utf8')
  if (moved !== owner.text) await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
  return created(path, mine)
}

/** Content and file appear together: a half-written lock would look like a dead owner's. */
async function created(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, text)
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function ownerOf(path: string) {
  const text = await readFile(path, 'utf8').catch(() => '')
  const [pid, start] = text.split(' ')
  return { text, pid: Number(pid), start: start ?? '' }
}

/** When the process began, so that another one that was given its number is not taken for it; 'dead' without one. */
async function startOf(pid: number): Promise<string> {
  try {
    if (!Number.isInteger(pid) || pid <= 0) return 'dead'
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'dead'
  }
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // Field 22; the command in parentheses before it may hold spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'unknown'
  } catch {
    return 'unknown' // no /proc: the pid alone has to do
  }
}
