import type { DeadLetters } from '../../../connectors/operations/dead-letters/port.ts'

/** What the composition root passes to the commands. */
export type DeadLetterContext = {
  open: () => Promise<{ box: DeadLetters; close(): Promise<void> }>
  stdout: { write(text: string): unknown }
  /** Where questions are asked. */
  stderr: { write(text: string): unknown }
  stdin: AsyncIterable<Buffer | string> & { isTTY?: boolean }
  /** Who decides, for the record. */
  by: string
  /** Unix milliseconds. */
  now: () => number
}

/** Runs `work` on the box and closes it in any case. */
export async function withBox<T>({ open }: DeadLetterContext, work: (box: DeadLetters) => Promise<T>): Promise<T> {
  const { box, close } = await open()
  try {
    return await work(box)
  } finally {
    await close()
  }
}
