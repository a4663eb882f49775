import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Watermark } from '../runtime/find-appended.ts'

/** How far an import is: enough to go on after a crash without losing or repeating anything. */
export type Checkpoint = {
  /** Unix milliseconds: the moment of every observation of the import. */
  observedAt: number
  /** Everything up to this line is published; of what follows, one batch may be, in part or whole. */
  line: number
  published: number
  rejected: number
  /** High watermarks of the output before that batch. */
  watermarks: Watermark[]
}

/** The checkpoint of `path`; null when there is none. @throws when the file holds something else. */
export async function readCheckpoint(path: string): Promise<Checkpoint | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    const value = JSON.parse(text) as Checkpoint
    const { observedAt, line, published, rejected, watermarks } = value
    const numbers = [observedAt, line, published, rejected, ...watermarks.flatMap((m) => [m.partition, m.offset])]
    if (numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) return value
  } catch {
    // Falls through to the one message that says what to do.
  }
  throw new Error(`${path} is not a checkpoint of an import; start over with --restart`)
}

/** Replaces the checkpoint as a whole; durable when it resolves. */
export const writeCheckpoint = (path: string, checkpoint: Checkpoint): Promise<void> =>
  replaceFile(path, JSON.stringify(checkpoint))

/** Replaces a file as a whole, its folders made; durable when it resolves. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(`${path}.new`, 'w')
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

export const removeCheckpoint = (path: string): Promise<void> => rm(path, { force: true })
