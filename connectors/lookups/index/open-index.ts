import { rmSync } from 'node:fs'
import { ENTRY_FORM } from '../../../schemas/intelligence/state/rows/entry.ts'
import { Unusable } from '../../lmdb/environment.ts'
import type { IndexStore } from '../port.ts'
import { openEnvironment } from './environment.ts'
import type { IndexFolder } from './index-folder.ts'
import { indexWriter } from './index-writer.ts'

/** Errors of LMDB itself, as of a file of another version, have numbers below this. */
const OF_LMDB = -30_000

/** Whether it is made anew; not where it cannot be opened now, as on a full disk. */
const isUnusable = (error: unknown): boolean =>
  error instanceof Unusable || Number((error as { code?: unknown }).code) < OF_LMDB

/** The indexes of a folder, each of at most so many bytes. */
export function indexStore(folder: IndexFolder, maxBytes: number, now: () => number): IndexStore {
  const opened = (path: string) => openEnvironment(path, maxBytes)
  return {
    open() {
      const path = folder.current()
      if (path === null) return null
      try {
        const env = opened(path)
        const state = env.state()
        if (state?.form === ENTRY_FORM && state.complete) return indexWriter(env, state)
        void env.close().catch(() => undefined)
      } catch (error) {
        if (!isUnusable(error)) throw error
      }
      folder.clear()
      return null
    },
    begin(of) {
      folder.removeOthers()
      const path = folder.begin()
      const state = { ...of, form: ENTRY_FORM, complete: false, builtAt: now(), asOf: 0 }
      const writer = indexWriter(opened(path), state)
      return {
        ...writer,
        promote() {
          folder.promote(path)
          folder.removeOthers()
        },
        async close() {
          await writer.close()
          if (!writer.state().complete) rmSync(path, { recursive: true, force: true })
        },
      }
    },
    clear: () => folder.clear(),
  }
}
