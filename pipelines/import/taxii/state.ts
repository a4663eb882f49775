import { readFile } from 'node:fs/promises'
import { replaceFile } from '../checkpoint.ts'

/** How far a collection was imported. */
export type TaxiiState = {
  /** Objects that were added later are new; null: all are. */
  addedAfter: string | null
  /** Digests of objects with dates around it that were read already. */
  read: readonly string[]
}

/** The state of `path`; that of a collection of which nothing was imported when there is none. @throws when it is another file */
export async function readTaxiiState(path: string): Promise<TaxiiState> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { addedAfter: null, read: [] }
    throw error
  }
  try {
    // Files of earlier versions have no digests.
    const { addedAfter, read = [] } = JSON.parse(text) as Partial<TaxiiState>
    const isRead = Array.isArray(read) && read.every((digest) => typeof digest === 'string')
    if (isRead && (addedAfter === null || typeof addedAfter === 'string')) return { addedAfter, read }
  } catch {
    // Falls through to the one message that says what to do.
  }
  throw new Error(`${path} is not the state of a TAXII import; start over with --restart`)
}

/** Replaces it as a whole; durable when it resolves. */
export const writeTaxiiState = (path: string, state: TaxiiState): Promise<void> =>
  replaceFile(path, JSON.stringify(state))
