/**
 * Folders of which one is current: another one is made beside it, and takes its place by a rename. Processes that still read
 * the one before go on until they look again.
 */

import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const CURRENT = 'current'
const MADE = /^of-[0-9a-f-]{36}$/

/** @param root a folder, which may not be there yet */
export function madeFolders(root: string) {
  const path = (name: string): string => join(root, name)

  /** The text of a file of the root; null: there is none. */
  function read(name: string): string | null {
    try {
      return readFileSync(path(name), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  /** Puts a text in the place of a file. */
  function write(name: string, text: string): void {
    const beside = path(`${name}.new`)
    writeFileSync(beside, text, { mode: 0o600 })
    renameSync(beside, path(name))
  }

  function currentName(): string | null {
    const name = read(CURRENT)?.trim() ?? ''
    return MADE.test(name) ? name : null
  }

  /** Removes every folder but the current one. */
  function removeOthers(): void {
    if (!existsSync(root)) return
    const kept = currentName()
    for (const name of readdirSync(root))
      if (name.startsWith('of-') && (kept === null || !name.startsWith(kept)))
        rmSync(path(name), { recursive: true, force: true })
  }

  return {
    path,
    read,
    write,
    /** The path of the current one; null: there is none. */
    current(): string | null {
      const name = currentName()
      return name === null ? null : path(name)
    },
    /** The path of one that is to be made. */
    begin(): string {
      mkdirSync(root, { recursive: true, mode: 0o700 })
      const made = path(`of-${randomUUID()}`)
      mkdirSync(made, { mode: 0o700 })
      return made
    },
    /** Makes the one of this path the current one. */
    promote(made: string): void {
      write(CURRENT, made.slice(root.length + 1))
    },
    removeOthers,
    /** Removes all of them. */
    clear(): void {
      rmSync(path(CURRENT), { force: true })
      removeOthers()
    },
  }
}
