/**
 * The folder of the index of a host: `current` names the sub-folder with the one that is read. Another one is made beside
 * it, and takes its place by a rename. All of it may be deleted at any time (decisions 18.6).
 */

import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { madeFolders } from '../../lmdb/made-folders.ts'

const ASKED = 'asked'
const REFUSED = 'refused'
const REBUILD = 'rebuild'

/** Why there is none although it is wanted; kept until a start or a rebuild. */
export type Refusal = { reason: string; at: number }

export function indexFolder(root: string) {
  const { path, read, write, current, begin, promote, removeOthers, clear } = madeFolders(root)

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
    current,
    begin,
    promote,
    removeOthers,
    clear,
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
