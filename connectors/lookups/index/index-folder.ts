/**
 * The folder of the index of a host: `current` names the sub-folder with the one that is read. Another one is made beside
 * it, and takes its place by a rename. All of it may be deleted at any time (decisions 18.6).
 */

import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const CURRENT = 'current'
const ASKED = 'asked'
const REFUSED = 'refused'
const REBUILD = 'rebuild'
const MADE = /^of-[0-9a-f-]{36}$/

/** Why there is none although it is wanted; kept until a start or a rebuild. */
export type Refusal = { reason: string; at: number }

export function indexFolder(root: string) {
  const path = (name: string): string => join(root, name)

  function read(name: string): string | null {
    try {
      return readFileSync(path(name), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  function currentName(): string | null {
    const name = read(CURRENT)?.trim() ?? ''
    return MADE.test(name) ? name : null
  }

  /** Puts a text in the place of a file. */
  function write(name: string, text: string): void {
    const beside = path(`${name}.new`)
    writeFileSync(beside, text, { mode: 0o600 })
    renameSync(beside, path(name))
  }

  return {
    root,
    /** Says that somebody asks. @throws where it may not be written */
    ask(): void {
      mkdirSync(root, { recursive: true, mode: 0o700 })
      writeFileSync(path(ASKED), '', { mode: 0o600 })
      utimesSync(path(ASKED), new Date(), new Date())
    },
    /** Asks for an index that is made anew, also where there was none because it would be too large. */
    askAnew(): void {
      this.ask()
      writeFileSync(path(REBUILD), '', { mode: 0o600 })
    },
    /** Whether an index is asked for that was made after one that was begun then, unix milliseconds. */
    isAskedAnew(builtAt: number): boolean {
      return (statSync(path(REBUILD), { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY) > builtAt
    },
    /** When somebody asked last, unix milliseconds; null: nobody did. */
    askedAt(): number | null {
      return statSync(path(ASKED), { throwIfNoEntry: false })?.mtimeMs ?? null
    },
    /** The path of the index that is read; null: there is none. */
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
    /** Makes the one of this path the one that is read. */
    promote(made: string): void {
      write(CURRENT, made.slice(root.length + 1))
    },
    /** Removes everything but the index that is read. Processes that still read another one go on until they look again. */
    removeOthers(): void {
      if (!existsSync(root)) return
      const kept = currentName()
      for (const name of readdirSync(root))
        if (name.startsWith('of-') && (kept === null || !name.startsWith(kept)))
          rmSync(path(name), { recursive: true, force: true })
    },
    /** Removes every index. */
    clear(): void {
      rmSync(path(CURRENT), { force: true })
      this.removeOthers()
    },
    /** Notes why there will be none until it is asked for anew. */
    refuse(refusal: Refusal): void {
      mkdirSync(root, { recursive: true, mode: 0o700 })
      write(REFUSED, JSON.stringify(refusal))
    },
    /** Why there is none; null after somebody asked for it anew. */
    refusal(): Refusal | null {
      const text = read(REFUSED)
      const refusal = text === null ? null : (JSON.parse(text) as Refusal)
      return refusal === null || this.isAskedAnew(refusal.at) ? null : refusal
    },
    accept(): void {
      rmSync(path(REFUSED), { force: true })
    },
  }
}

export type IndexFolder = ReturnType<typeof indexFolder>
